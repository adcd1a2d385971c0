// People of two cells in one service over two Postgres servers.
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { test as base, expect } from "../support/fixtures";
import { createMerchant, type Merchant } from "../support/merchant";
import { tier } from "../support/tier";
import { CELL_NAMES, type CellName, openTwoCellService, type TwoCellService } from "../support/two-cells";
import { createMember, fillIn, type Person, signInTo, untilLive } from "./members";

interface Resident {
  readonly cell: CellName;
  readonly merchant: Merchant;
  readonly person: Person;
}

const test = base.extend<object, { readonly world: TwoCellService; readonly residents: readonly [Resident, Resident] }>(
  {
    world: [
      async ({ browserName: _ }, use) => {
        const world = await openTwoCellService();
        await use(world);
        await world.close();
      },
      { scope: "worker", timeout: 400_000 },
    ],
    residents: [
      async ({ world }, use) => {
        const settle = async (cell: CellName, name: string): Promise<Resident> => {
          const merchant = await createMerchant(world.operated, { name, cell });
          return { cell, merchant, person: await createMember(world.operated, merchant, "owner") };
        };
        await use([await settle(CELL_NAMES[0], "Alpha Foods"), await settle(CELL_NAMES[1], "Beta Shoes")]);
      },
      { scope: "worker", timeout: 120_000 },
    ],
  },
);

test.use({ baseURL: async ({ world }, use) => use(world.service.baseUrl) });

const PAGES = ["payments", "payouts", "topups", "wallet", "members", "audit", "webhooks", "settings", "account"];

async function expectMerchant(page: Page, { merchant, person }: Resident): Promise<void> {
  const side = page.getByRole("complementary", { name: "Merchant and pages" });
  await expect(side).toContainText(merchant.name);
  await expect(side).toContainText(person.email);
}

test("a person of each cell signs in, sees their own merchant on every page, and signs out", async ({
  page,
  residents,
}) => {
  test.setTimeout(400_000);
  for (const resident of residents) {
    await page.goto("/sign-in");
    await fillIn(page, resident.person);
    await expectMerchant(page, resident);
    for (const name of PAGES) {
      expect((await page.goto(`/test/${name}`))?.status(), name).toBe(200);
      await expectMerchant(page, resident);
    }
    const other = residents.find((one) => one !== resident);
    await expect(page.getByText(other?.merchant.name ?? "")).toHaveCount(0);
    const cookies = await page.context().cookies();
    await page.goto("/");
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
    // The cookie is useless now.
    await page.context().addCookies(cookies.filter(({ name }) => name === "sluice.session"));
    await page.goto("/test/payouts");
    await expect(page).toHaveURL(/\/sign-in\?next=/);
  }
});

test("a person invited in the second cell chooses a password by the link, and signs in there", async ({
  page,
  browser,
  world,
  residents,
}) => {
  test.setTimeout(300_000);
  const [, there] = residents;
  await signInTo(page, there.person, "/test/members");
  const colleague = { email: `${randomUUID()}@staff.example`, password: randomUUID() };
  await page.getByRole("button", { name: "Invite member" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(colleague.email);
  await dialog.getByLabel(/^finance/).check();
  await dialog.getByRole("button", { name: "Invite member" }).click();
  const shown = page.getByRole("dialog").getByText(/\/welcome#e2_/);
  await expect(shown).toBeVisible();
  const link = new URL((await shown.textContent()) ?? "");

  const context = await browser.newContext({ baseURL: world.service.baseUrl });
  const theirs = await context.newPage();
  await theirs.goto(link.pathname + link.hash);
  await theirs.getByLabel("Password", { exact: true }).fill(colleague.password);
  await theirs.getByLabel("Password again").fill(colleague.password);
  await theirs.getByRole("button", { name: "Set password" }).click();
  await expect(theirs.getByText("Your password is set.")).toBeVisible();
  await theirs.getByRole("link", { name: "Sign in" }).click();
  await fillIn(theirs, colleague);
  await expectMerchant(theirs, { ...there, person: colleague });
  await context.close();
});

// The requests of this are in every run: faults/cells.spec.ts.
if (tier === "deep")
  test("while a cell is away, its members see that page, and members of the other cell work on", async ({
    page,
    browser,
    world,
    residents,
  }) => {
    test.setTimeout(600_000);
    const [here, there] = residents;
    const context = await browser.newContext({ baseURL: world.service.baseUrl });
    const other = await context.newPage();
    const pages = [
      { away: here, goesOn: there },
      { away: there, goesOn: here },
    ];
    for (const { away, goesOn } of pages) {
      await signInTo(page, away.person, "/test/members");
      await signInTo(other, goesOn.person, "/test/members");
      const server = world.servers[away.cell];
      await server.stop("fast");
      try {
        const answer = await page.request.get(`/api/trpc/session.me`);
        expect([answer.status(), await answer.text()]).toEqual([
          503,
          expect.stringContaining("temporarily unavailable"),
        ]);
        await page.goto("/test/payments");
        await expect(page.getByRole("heading", { name: "This page cannot be shown right now" })).toBeVisible();
        for (const name of PAGES.slice(0, 3)) {
          expect((await other.goto(`/test/${name}`))?.status(), name).toBe(200);
          await expectMerchant(other, goesOn);
        }
        // Whoever has signed in to a cell in this browser before needs no other one.
        await other.context().clearCookies({ name: "sluice.session" });
        await other.goto("/sign-in");
        await fillIn(other, goesOn.person);
        await expectMerchant(other, goesOn);
        await page.context().clearCookies({ name: "sluice.session" });
        await page.goto("/sign-in");
        await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeEnabled();
        await fillIn(page, away.person);
        await expect(page.getByText("The service did not answer. Please try again in a moment.")).toBeVisible();
      } finally {
        await server.start();
      }
      await expect(async () => {
        await signInTo(page, away.person, "/test/members");
        await expectMerchant(page, away);
      }).toPass({ timeout: 60_000 });
    }
    await untilLive(other);
    await context.close();
  });
