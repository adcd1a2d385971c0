-- The browser of a session, so that members recognize their sessions.

-- AlterTable
ALTER TABLE "member_session" ADD COLUMN     "user_agent" TEXT NOT NULL DEFAULT '';

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "member_session"
  ADD CONSTRAINT "member_session_user_agent_length" CHECK (length(user_agent) <= 512);
