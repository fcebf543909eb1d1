"""Whether damage, threads, kills and outliers are lived through or refused."""
