-- A file that a member uploaded stays in a cell that its merchant has left while lines of others name it (docs/decisions/0082). The
-- member is in another cell then. What is stored here is still checked; a restored dump does not check what it already has.
ALTER TABLE "settlement_file"
  DROP CONSTRAINT "settlement_file_uploader_fkey",
  ADD CONSTRAINT "settlement_file_uploader_fkey" FOREIGN KEY (uploaded_for, uploaded_by)
    REFERENCES "member" (merchant_id, id) MATCH FULL NOT VALID;
