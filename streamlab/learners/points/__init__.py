"""What learners share that answer by the distances to rows they keep: points, blocks of distances, an index."""
