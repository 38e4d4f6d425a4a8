"""From a folder to chunks, files, entities and relations in a new generation."""
