-- The language in which a member reads the dashboard; null for the best of the browser's languages. A language that the
-- service has no catalogue of counts as none, so that one may be taken away without touching rows.
ALTER TABLE "member_setting"
  ADD COLUMN "language" TEXT,
  ADD CONSTRAINT "member_setting_language_length" CHECK (length(language) BETWEEN 2 AND 35);
