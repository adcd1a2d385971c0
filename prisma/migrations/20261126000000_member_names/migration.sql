-- What a member is called. A name identifies nobody: the address beside it does, so a name cannot look like an address.
ALTER TABLE "member"
  ADD COLUMN "name" TEXT,
  ADD CONSTRAINT "member_name_is_plain" CHECK (
    char_length(name) BETWEEN 1 AND 64 AND name = btrim(name) AND name !~ '[[:cntrl:]@<>(),;]');
