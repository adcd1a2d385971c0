import { expect, it } from "vitest";
import { reportTable } from "./testing/report-table";

it("docs/provider-reports.md says what each report does in each state", async () => {
  await expect(reportTable()).toMatchFileSnapshot("../../docs/provider-reports.md");
});
