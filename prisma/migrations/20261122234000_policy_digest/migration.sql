-- A proposed version of an approval policy carries a keyed digest over its row, who made it and when. A confirmation is
-- rejected where the digest does not match: whoever has the database without the service's secrets can neither make nor
-- edit a proposal. An open proposal from before has none and must be proposed again; versions that were decided on, and a
-- merchant's first, stay without one.
ALTER TABLE "approval_policy" ADD COLUMN "digest" TEXT;
ALTER TABLE "approval_policy"
  ADD CONSTRAINT "approval_policy_digest_form" CHECK (digest ~ '^[0-9a-f]{8}\.[0-9a-f]{64}$');

DROP TRIGGER "approval_policy_content_is_fixed" ON "approval_policy";
CREATE TRIGGER "approval_policy_content_is_fixed"
  BEFORE UPDATE OF merchant_id, environment, version, rules, default_approvals, digest, proposed_by_type, proposed_by_id,
    proposed_at
  ON "approval_policy" FOR EACH ROW
  WHEN ((OLD.merchant_id, OLD.environment, OLD.version, OLD.rules, OLD.default_approvals, OLD.digest,
         OLD.proposed_by_type, OLD.proposed_by_id, OLD.proposed_at)
    IS DISTINCT FROM
        (NEW.merchant_id, NEW.environment, NEW.version, NEW.rules, NEW.default_approvals, NEW.digest,
         NEW.proposed_by_type, NEW.proposed_by_id, NEW.proposed_at))
  EXECUTE FUNCTION "refuse_change"('approval_policy_content_is_fixed');
