// A stranger guesses a member's password: the member's known browser is not affected.
import { command } from "../support/operator";
import { expect, test } from "./fixtures";
import { requestSession } from "./members";

test("a stranger cannot lock a member out of a known browser; the operator ends the pause of others", async ({
  page,
  service,
  ownMerchant,
  openAs,
  request,
  playwright,
}) => {
  const person = await openAs("owner", "/test/payouts");
  await page.context().clearCookies({ name: "sluice.session" });
  for (let n = 0; n < 10; n += 1) {
    expect((await requestSession(request, { ...person, password: "wrong horse battery" })).status()).toBe(401);
  }
  expect((await requestSession(request, person)).status()).toBe(401);
  expect((await requestSession(page.request, person)).status()).toBe(200);

  await command(service, "members", "unlock", "--merchant", ownMerchant.id, "--email", person.email);
  const elsewhere = await playwright.request.newContext({ baseURL: service.baseUrl });
  await expect(async () => expect((await requestSession(elsewhere, person)).status()).toBe(200)).toPass();
  await elsewhere.dispose();
});
