-- Which cell of which installation this database is (docs/decisions/0079). Null unless the installation has several.
ALTER TABLE "installation"
  ADD COLUMN "cell" TEXT,
  ADD COLUMN "cell_tag" TEXT,
  ADD COLUMN "cells_id" TEXT,
  ADD CONSTRAINT "installation_cell_whole" CHECK (num_nulls(cell, cell_tag, cells_id) IN (0, 3));
CREATE TRIGGER "installation_cell_is_fixed" BEFORE UPDATE ON "installation"
  FOR EACH ROW WHEN (OLD.cell IS NOT NULL AND
    (OLD.cell, OLD.cell_tag, OLD.cells_id) IS DISTINCT FROM (NEW.cell, NEW.cell_tag, NEW.cells_id))
  EXECUTE FUNCTION "refuse_change"('installation_cell_is_fixed');
