"""The measuring tools: whether they measure, and notice what is wrong."""
