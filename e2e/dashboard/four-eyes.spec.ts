// Four eyes: a member who has approved a payout cannot approve it again, neither on the page nor by a direct call.
import { writeFileSync } from "node:fs";
import { command } from "../support/operator";
import { expect, test } from "./fixtures";
import { signInTo, untilLive } from "./members";
import { createPayout, readPayout } from "./payouts";

interface Shown {
  readonly result: {
    readonly data: { readonly payout: { readonly digest: string; readonly approvals_required: number } };
  };
}

test("a payout that requires two approvals is sent only after two people gave them", async ({
  page,
  service,
  ownMerchant,
  ownApi,
  newMember,
  otherBrowser,
}, info) => {
  test.setTimeout(240_000);
  const [first, second] = [await newMember("owner"), await newMember("admin")];
  await newMember("approver");
  const file = info.outputPath("policy.json");
  writeFileSync(file, JSON.stringify({ default_approvals: 2, rules: [] }));
  const scope = ["--merchant", ownMerchant.id, "--environment", "test"];
  await command(service, "policies", "set", ...scope, "--file", file, "--as", first.email);
  await command(service, "policies", "confirm", ...scope, "--version", "2", "--as", second.email);

  await signInTo(page, first, "/test/payouts");
  const readShown = async (id: string) => {
    const input = encodeURIComponent(JSON.stringify({ environment: "test", id }));
    const answer = await page.request.get(`/api/trpc/payoutIntents.get?input=${input}`);
    return ((await answer.json()) as Shown).result.data.payout;
  };
  // Every process applies a new policy within a second. The first payout that it applies to is the one to approve.
  let id = "";
  let name = "";
  await expect
    .poll(async () => {
      name = `Two People ${Number(name.split(" ").at(-1)) + 1}`;
      ({ id } = await createPayout(ownApi, name));
      return (await readShown(id)).approvals_required;
    })
    .toBe(2);

  await page.goto("/test/payouts?queue=mine");
  await untilLive(page);
  const approve = { name: `Approve 25.04 BRL to ${name}` };
  await page.getByRole("button", approve).click();
  await page.getByRole("dialog").getByRole("button", { name: "Approve 25.04 BRL" }).click();
  const row = page.getByRole("row", { name });
  await expect(row).toContainText("1 of 2 approvals");
  await expect(row).toContainText("You approved it");
  await expect(row.getByRole("button", { name: /^Approve/ })).toBeDisabled();
  const again = await page.request.post("/api/trpc/payoutIntents.approve", {
    data: { environment: "test", id, digest: (await readShown(id)).digest },
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect(again.ok()).toBe(false);
  expect(await readPayout(ownApi, id)).toMatchObject({ status: "requires_approval" });

  const theirs = await otherBrowser(second, "/test/payouts?queue=mine");
  await theirs.getByRole("button", approve).click();
  await theirs.getByRole("dialog").getByRole("button", { name: "Approve 25.04 BRL" }).click();
  await expect(theirs.getByText(`Approved: 25.04 BRL to ${name}`)).toBeAttached();
  await expect.poll(async () => (await readPayout(ownApi, id)).status).toMatch(/^(processing|succeeded)$/);
});
