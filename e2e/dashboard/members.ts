// Members of a merchant, and the sign-in of a browser.
import { randomUUID } from "node:crypto";
import type { APIRequestContext, APIResponse, Page } from "@playwright/test";
import { expect } from "../support/fixtures";
import type { Merchant } from "../support/merchant";
import { command } from "../support/operator";
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
  const words = ["--merchant", merchant.id, "--email", person.email, "--roles", roles];
  const { link } = await command<{ link: string }>(service, "members", "create", ...words);
  await choosePassword(service, link, person.password);
  return person;
}

/** Chooses the password of a one-time link by a request, as its page does. */
async function choosePassword({ baseUrl }: ServiceAddress, link: string, password: string): Promise<void> {
  const answer = await fetch(`${baseUrl}/api/one-time-link/choose-password`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ token: new URL(link).hash.slice(1), password }),
  });
  if (!answer.ok) throw new Error(`the choice of a password was answered with ${answer.status}`);
}

/** Fills in the sign-in form of the open page, or of /sign-in. */
export async function fillIn(page: Page, { email, password }: Person): Promise<void> {
  if (!page.url().includes("/sign-in")) await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Signs in by a request, as the form does. If accepted, the cookies of `request` then carry the session. */
export async function requestSession(
  request: APIRequestContext,
  { email, password }: Person,
  headers: Readonly<Record<string, string>> = {},
): Promise<APIResponse> {
  const { csrfToken } = (await (await request.get("/api/auth/csrf")).json()) as { csrfToken: string };
  return request.post("/api/auth/callback/credentials", {
    form: { csrfToken, email, password, json: "true" },
    headers: { ...headers },
  });
}

/** The dialog that asks for a proof before an act that creates authority or moves money. */
export function proofDialog(page: Page) {
  return page.getByRole("dialog", { name: "Confirm that it is you" });
}

/** Gives the person's password whenever an act asks for it. */
export async function givePassword(page: Page, { password }: Person): Promise<void> {
  const field = proofDialog(page).getByLabel("Your password");
  await page.addLocatorHandler(field, async () => {
    await field.fill(password);
    await proofDialog(page).getByRole("button", { name: "Confirm" }).click();
  });
}

/** Signs the page's browser in without the form, and opens a page of the dashboard. Gives the password for acts. */
export async function signInTo(page: Page, person: Person, path: string): Promise<void> {
  await givePassword(page, person);
  const answer = await requestSession(page.request, person);
  if (!answer.ok()) throw new Error(`the sign-in was answered with ${answer.status()}`);
  await page.goto(path);
  await expect(page.getByRole("navigation", { name: "Dashboard" })).toBeVisible();
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
