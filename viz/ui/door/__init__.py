"""Budgets of visitors: limits on each request, before anything else sees it."""
