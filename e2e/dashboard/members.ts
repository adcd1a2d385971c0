// Members for specs of the dashboard: created by the operator's command, signed in through the form.
import { randomUUID } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import { cli } from "../support/cli";
import { expect } from "../support/fixtures";
import type { Merchant } from "../support/merchant";
import type { ServiceAddress } from "../support/service";

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** Creates a member of the merchant with those roles. */
export async function createMember(
  service: ServiceAddress,
  merchant: Merchant,
  roles = "approver,finance",
): Promise<Person> {
  const person = { email: `${randomUUID()}@staff.example`, password: randomUUID() };
  const words = ["--merchant", merchant.id, "--email", person.email, "--password", person.password];
  await cli(service, "members", "create", ...words, "--roles", roles);
  return person;
}

/** Fills in the sign-in form of the open page, or of /sign-in. */
export async function fillIn(page: Page, { email, password }: Person): Promise<void> {
  if (!page.url().includes("/sign-in")) await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Signs in and goes to a page of the dashboard. */
export async function signInTo(page: Page, person: Person, path: string): Promise<void> {
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await fillIn(page, person);
  await expect(page.getByRole("navigation", { name: "Dashboard" })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${path.replace(/[?]/g, "\\?")}$`));
  await untilLive(page);
}

/** Waits until the page is hydrated: clicks before that are lost. */
export async function untilLive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const controls = [...document.querySelectorAll("nav a, main button, main input, main a")];
    // Without named functions: tsx, which runs the screenshots, compiles them into calls to a helper that pages do not
    // have.
    return (
      controls.length > 0 &&
      controls.every((control) => Object.keys(control).some((key) => key.startsWith("__reactProps$")))
    );
  });
}

/** Opens a page in another browser, signed in. */
export async function otherBrowser(browser: Browser, baseURL: string, person: Person, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await signInTo(page, person, path);
  return page;
}
