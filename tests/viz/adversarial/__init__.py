"""Tests of viz/adversarial."""
