// Owners learn of every change of authority, by notice and by mail, and links are mailed: against a real SMTP server.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import { type Env, loadEnv } from "@/server/platform/env";
import { sendMail } from "@/server/platform/mail";
import { countRows } from "@/server/testing/invariants";
import { createApiKey } from "../api-keys/create";
import { changeRoles, disableMember, inviteMember, resetPassword } from "../members/manage";
import { choosePassword } from "../members/one-time-links";
import { createMerchant } from "../merchants/create";
import { operatorContext } from "../merchants/operator";
import { mailDueNotices, recentNotices } from "./notices";
import { reapNotices } from "./reap";

interface Received {
  readonly to: string[];
  readonly text: string;
}

const received: Received[] = [];
let refuses = false;
let server: SMTPServer;
const shared = globalThis as typeof globalThis & { sluiceEnv?: Env };
const CALL = { requestId: null, address: null };

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: (_address, _session, done) => done(refuses ? new Error("mailbox unavailable") : null),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        // Undoes the soft line breaks of quoted-printable.
        const text = Buffer.concat(chunks).toString("utf8").replaceAll("=\r\n", "").replaceAll("=3D", "=");
        received.push({ to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  shared.sluiceEnv = loadEnv({
    ...process.env,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "Sluice <pay@sluice.example>",
  });
});
afterAll(async () => {
  await new Promise<void>((resolve) => server.close(resolve));
  await disconnect();
});

let merchantId: string;
/** A domain of the merchant; its id has an underscore, which no domain has. */
let domain: string;
let operator: CallContext;
let owner: { readonly id: string; readonly email: string; readonly by: CallContext };

beforeEach(async () => {
  await query("UPDATE authority_notice SET due_at = NULL");
  merchantId = await createMerchant("Shop", ["BRL"]);
  domain = `${merchantId.replace("_", "-")}.example`;
  operator = operatorContext(merchantId, "test");
  owner = await join("owner");
  await mailAll();
  received.length = 0;
});
afterEach(() => {
  refuses = false;
});

async function join(role: string) {
  const email = `${role}@${domain}`;
  const { id, link } = await inviteMember(operator, { email, roles: [role] });
  await choosePassword(link.slice(-43), `${role} has green lamps`, CALL);
  const actor = { type: "member", id } as const;
  return { id, email, by: { ...operator, actor } };
}

async function mailAll(): Promise<void> {
  while ((await mailDueNotices()) > 0);
}

const mailsTo = (email: string) => received.filter(({ to }) => to.includes(email)).map(({ text }) => text);

describe("a one-time link", () => {
  it("is mailed to its member only, in plain text", async () => {
    const email = `new@${domain}`;
    const { link, isMailed } = await inviteMember(owner.by, { email, roles: ["finance"] });
    expect(isMailed).toBe(true);
    expect(received.map(({ to }) => to)).toEqual([[email]]);
    expect(received[0]?.text).toContain(link);
    expect(received[0]?.text).toContain("Content-Type: text/plain");
    const reset = await resetPassword(owner.by, (await join("developer")).id);
    expect(mailsTo(`developer@${domain}`).at(-1)).toContain(reset.link);
  });

  it("can be copied if the mail server refuses it", async () => {
    refuses = true;
    const person = { email: `new@${domain}`, roles: ["finance"] };
    expect(await inviteMember(owner.by, person)).toMatchObject({ isMailed: false, link: expect.any(String) });
  });

  it("goes to one address, whatever characters the address has", async () => {
    const email = `a,b@${domain}`;
    await inviteMember(owner.by, { email, roles: ["finance"] });
    expect(received.map(({ to }) => to.length)).toEqual([1]);
  });
});

it("an error of the mail server names no recipient", async () => {
  refuses = true;
  const sending = sendMail({ to: `new@${domain}`, subject: "x", text: "x" });
  await expect(sending).rejects.toMatchObject({ message: "EENVELOPE 550" });
});

describe("a change of authority", () => {
  it("is mailed to every active owner and to the member concerned, once, whoever made it", async () => {
    const [second, gone, finance] = [await join("admin"), await join("approver"), await join("finance")];
    await changeRoles(owner.by, second.id, ["owner"]);
    await changeRoles(owner.by, gone.id, ["owner"]);
    await disableMember(owner.by, gone.id);
    await mailAll();
    received.length = 0;
    await changeRoles(second.by, finance.id, ["finance", "developer"]);
    await mailAll();
    await mailAll();
    const text = `${second.email} changed the roles of ${finance.email} to finance, developer.`;
    expect(received.map(({ to }) => to[0]).sort()).toEqual([finance.email, owner.email, second.email].sort());
    for (const mail of received) expect(mail.text).toContain(text);
    const [notice] = await recentNotices({ merchantId, memberId: owner.id });
    expect(notice?.text).toBe(text);
  });

  it("reaches an owner whom another owner disables, so that nobody puts the second person out in silence", async () => {
    const second = await join("admin");
    await changeRoles(owner.by, second.id, ["owner"]);
    await mailAll();
    received.length = 0;
    await disableMember(owner.by, second.id);
    await mailAll();
    expect(received.map(({ to }) => to[0]).sort()).toEqual([owner.email, second.email].sort());
    for (const mail of received) expect(mail.text).toContain(`${owner.email} disabled ${second.email}.`);
  });

  it("includes live keys, and not test keys", async () => {
    const live = { ...owner.by, scope: { merchantId, environment: "live" } } as const;
    await createApiKey(owner.by, "test key");
    await createApiKey(live, "live key");
    await mailAll();
    expect(mailsTo(owner.email)).toEqual([expect.stringContaining("created an API key for the live environment")]);
  });

  it("is mailed later if the mail server refuses it now: none is lost", async () => {
    const finance = await join("finance");
    await mailAll();
    received.length = 0;
    refuses = true;
    await resetPassword(owner.by, finance.id);
    await mailAll();
    expect(received).toEqual([]);
    refuses = false;
    expect(await mailDueNotices()).toBe(0);
    await query(
      "UPDATE authority_notice SET due_at = created_at WHERE merchant_id = $1 AND due_at IS NOT NULL",
      merchantId,
    );
    await mailAll();
    expect(mailsTo(owner.email)).toEqual([expect.stringContaining(`reset the password of ${finance.email}`)]);
  });

  it("is mailed once by two workers that run at the same moment", async () => {
    await inviteMember(operator, { email: `new@${domain}`, roles: ["finance"] });
    received.length = 0;
    await Promise.all([mailDueNotices(), mailDueNotices(), mailDueNotices()]);
    expect(mailsTo(owner.email)).toHaveLength(1);
  });

  it("is deleted after 90 days, and its audit entry stays", async () => {
    await join("admin");
    await query(
      "UPDATE authority_notice SET created_at = created_at - interval '89 days' WHERE merchant_id = $1",
      merchantId,
    );
    await reapNotices();
    expect(await countRows("authority_notice", merchantId)).toBeGreaterThan(0);
    await query(
      "UPDATE authority_notice SET created_at = created_at - interval '1 day' WHERE merchant_id = $1",
      merchantId,
    );
    const entries = await countRows("audit_entry", merchantId);
    await reapNotices();
    expect(await countRows("authority_notice", merchantId)).toBe(0);
    expect(await countRows("audit_entry", merchantId)).toBe(entries);
  });

  it("is not mailed days later, when the operator configures a mail server", async () => {
    await createApiKey({ ...owner.by, scope: { merchantId, environment: "live" } }, "live key");
    await query(
      "UPDATE authority_notice SET created_at = created_at - interval '4 days' WHERE merchant_id = $1",
      merchantId,
    );
    await mailAll();
    expect(received).toEqual([]);
  });
});
