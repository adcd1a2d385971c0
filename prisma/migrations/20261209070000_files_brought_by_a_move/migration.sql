-- A line that moves brings the row of its file to a cell that may never have imported it. What that cell has in the file's time was not
-- compared with it, so the next import still covers that time (docs/decisions/0082).
ALTER TABLE "settlement_file" ADD COLUMN "is_brought" BOOLEAN NOT NULL DEFAULT false;
