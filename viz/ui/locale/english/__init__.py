"""The page's words in English, one file for each part of it; other languages are the .po files beside."""
