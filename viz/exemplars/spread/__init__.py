"""A pass over a folder on a cluster: actors of Ray Data look at pictures, and this process joins the results.

errand      the orders of every actor
looker      an actor: the model, loaded once, and pictures one after the other
cluster     the actors, and their results in the order of the pictures
"""
