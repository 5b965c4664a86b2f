"""The project's documents as pages, in ``/help/`` or a site of files."""
