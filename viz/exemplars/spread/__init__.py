"""Pass over a folder on a cluster, by actors of Ray Data.

This process joins their results.

errand      the orders of every actor
looker      an actor: the model, loaded once, and pictures one after the other
cluster     the actors, and their results in the order of the pictures
"""
