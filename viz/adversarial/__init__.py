"""Adversarial pictures: small bounded changes that mislead a net."""
