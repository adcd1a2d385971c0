// The merchant's settings: every member reads them, owners change them, and top-up terms in live take two people.
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { signInTo } from "./members";
import { createPayment } from "./payments";

/** A part of the page that a browser pictures. */
const SMALL = { clip: { x: 0, y: 0, width: 96, height: 32 } } as const;

test("an owner changes name and checkout, with a proof; others read them and have no buttons", async ({
  page,
  openAs,
}) => {
  await openAs("owner", "/test/settings");
  await page.getByRole("button", { name: "Change name…" }).click();
  const name = page.getByRole("dialog", { name: "Change the merchant's name" });
  await expect(name.getByRole("button", { name: "Change name" })).toBeDisabled();
  await name.getByLabel("Name").fill("Padaria Estrela");
  await expectAccessible(page, 0);
  await name.getByRole("button", { name: "Change name" }).click();
  await expect(name).toHaveCount(0);
  const general = page.getByRole("region", { name: "General" });
  await expect(general).toContainText("Padaria Estrela");
  await expect(page.locator("aside, nav").filter({ hasText: "Padaria Estrela" }).first()).toBeVisible();

  await page.getByRole("button", { name: "Change checkout…" }).click();
  const checkout = page.getByRole("dialog", { name: "How payers pay" });
  await checkout.getByLabel(/^Hosted page/).check();
  await checkout.getByRole("button", { name: "Change checkout" }).click();
  await expect(general).toContainText("Hosted page: payers are sent");

  await page.context().clearCookies();
  await openAs("developer", "/live/settings");
  await expect(general).toContainText("Padaria Estrela");
  await expect(page.getByText("Set by the operator")).toBeVisible();
  await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
  await expectAccessible(page, 0);
});

test("an owner gives the payment page a color and a logo, which payers see and strangers cannot misuse", async ({
  page,
  ownApi,
  service,
  openAs,
}) => {
  await openAs("owner", "/test/settings");
  await page.getByRole("button", { name: "Change branding…" }).click();
  const dialog = page.getByRole("dialog", { name: "Branding of the payment page" });
  await dialog.getByLabel("Color", { exact: true }).fill("green");
  await expect(dialog.getByRole("alert")).toContainText("six hexadecimal digits");
  await expect(dialog.getByRole("button", { name: "Change branding" })).toBeDisabled();
  await dialog.getByLabel("Color", { exact: true }).fill("#1B7F5C");
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: "image/png", buffer });
  await dialog.getByLabel("Logo", { exact: true }).setInputFiles(file("script.png", Buffer.from("<svg/>")));
  await dialog.getByRole("button", { name: "Change branding" }).click();
  await expect(dialog.getByRole("alert")).toContainText("must be a PNG picture");
  await dialog.getByLabel("Logo", { exact: true }).setInputFiles(file("logo.png", await page.screenshot(SMALL)));
  await expectAccessible(page, 0);
  await dialog.getByRole("button", { name: "Change branding" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("region", { name: "General" })).toContainText("#1b7f5c");

  const { id } = await createPayment(ownApi, "BR_PIX");
  await page.goto(`/pay/${id}`);
  const logo = page.locator('img[src*="logo.png"]');
  await expect(logo).toBeVisible();
  // A broken picture is 0 wide, and complete.
  expect(await logo.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(SMALL.clip.width);
  await expect(page.locator('[style*="background-color"]').first()).toHaveCSS("background-color", "rgb(27, 127, 92)");
  await expectAccessible(page, 0);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Paid" })).toBeVisible();
  await expect(logo).toBeVisible();
  const other = await fetch(`${service.baseUrl}/pay/${id.slice(0, -1)}/logo.png`);
  expect(other.status).toBe(404);
});

test("top-up terms in live are proposed by an owner and confirmed by another person", async ({
  page,
  newMember,
  otherBrowser,
}) => {
  const [owner, admin] = [await newMember("owner"), await newMember("admin")];
  await signInTo(page, owner, "/live/settings");
  const terms = page.getByRole("region", { name: "Top-up terms in live" });
  await expect(terms).toContainText("Credit what was paid");
  await page.getByRole("button", { name: "Propose other terms…" }).click();
  const dialog = page.getByRole("dialog", { name: "Propose other top-up terms" });
  await expect(dialog.getByLabel("Paid late").getByRole("option")).toHaveCount(2);
  await dialog.getByLabel("Paid too much").selectOption("hold");
  await expectAccessible(page, 0);
  await dialog.getByRole("button", { name: "Propose" }).click();
  const proposal = page.getByRole("region", { name: "Proposed: waits for a second person" });
  await expect(proposal).toContainText(owner.email);
  await expect(proposal.getByRole("button", { name: "Confirm…" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Propose other terms…" })).toBeDisabled();

  const theirs = await otherBrowser(admin, "/live/settings");
  const shown = theirs.getByRole("region", { name: "Proposed: waits for a second person" });
  await shown.getByRole("button", { name: "Confirm…" }).click();
  const question = theirs.getByRole("dialog", { name: "Confirm the top-up terms?" });
  await expect(question).toContainText(owner.email);
  await expectAccessible(theirs, 0);
  await question.getByRole("button", { name: "Confirm" }).click();
  await expect(shown).toHaveCount(0);
  await expect(theirs.getByRole("region", { name: "Top-up terms in live" })).toContainText(
    "Keep it aside until decided",
  );
});
