"""Floor 0: what every other package stands on (errors, ids, coordinates, boxes, hashes, frozen records)."""
