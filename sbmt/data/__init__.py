"""Named test sets: a registry with addresses, licences and checksums; nothing is fetched unasked."""
