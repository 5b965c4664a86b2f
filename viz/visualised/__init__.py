"""Optimised pictures: what a channel, a cell, a class or a direction wants, found by gradient ascent"""
