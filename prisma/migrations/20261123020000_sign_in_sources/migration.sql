-- Failed attempts to sign in are counted per member and source. Counts per email address (`account`), written by earlier
-- versions, remain valid until they end.

ALTER TABLE "sign_in_count" DROP CONSTRAINT "sign_in_count_key_form";

-- A key holds keyed digests only, so that no row names a person or an address: of an address or a member, and for a count
-- per source or device also of the pair.
ALTER TABLE "sign_in_count"
  ADD CONSTRAINT "sign_in_count_key_form" CHECK (
    key ~ '^(password|code):(account|address|member|session):[0-9a-f]{8}\.[0-9a-f]{64}$'
    OR key ~ '^(password|code):(source|device):[0-9a-f]{8}\.[0-9a-f]{64}:[0-9a-f]{8}\.[0-9a-f]{64}$');
