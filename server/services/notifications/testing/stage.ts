// What tests of notifications share: a real SMTP server and HTTP receiver, registrations, and rounds of the worker.
import { openMailbox } from "@/e2e/support/mailbox";
import { query } from "@/server/db/client";
import type { NotificationSchedule } from "@/server/domain/notification-time";
import type { CallContext, Environment } from "@/server/domain/scope";
import { type Env, loadEnv } from "@/server/platform/env";
import { reachEveryMerchant } from "@/server/platform/reach";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { makeMember, type TestMerchant } from "@/server/testing/merchant";
import { findNotifications } from "../find";
import { type CreateRegistration, registerForNotifications } from "../registrations";
import { sendDueNotifications } from "../send";

export const AT_ONCE: NotificationSchedule = { pace: "immediate", timeZone: "UTC", dailyAt: 540, quiet: null };

export interface Stage {
  readonly receiver: LocalServer;
  /** The texts of the mails to an address, with their headers, without the line breaks of quoted-printable. */
  mailsTo(address: string): string[];
  close(): Promise<void>;
}

/** Starts both servers and makes this process use them. */
export async function openStage(): Promise<Stage> {
  const [mailbox, receiver] = await Promise.all([openMailbox(), startLocalServer()]);
  receiver.respond = json(200, {});
  (globalThis as typeof globalThis & { sluiceEnv?: Env }).sluiceEnv = loadEnv({
    ...process.env,
    SMTP_URL: mailbox.url,
    MAIL_FROM: "Sluice <pay@sluice.example>",
    BASE_URL: "https://pay.example",
    WEBHOOK_ALLOW_LOOPBACK: "true",
  });
  return {
    receiver,
    mailsTo: (address) =>
      mailbox
        .mailsTo(address)
        .map((text) => text.replaceAll("=\r\n", "").replaceAll("=3D", "=").replaceAll("\r\n", "\n")),
    close: async () => {
      await Promise.all([mailbox.close(), receiver.stop()]);
    },
  };
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly context: CallContext;
}

let people = 0;

/** A member whose authority is older than every payout of the test. */
export async function makePerson(
  { merchantId }: TestMerchant,
  roles: readonly string[],
  environment: Environment = "test",
): Promise<Person> {
  people += 1;
  const email = `person${people}@${merchantId.replace("_", "-")}.example`;
  const id = await makeMember(merchantId, email, ...roles);
  await query(
    "UPDATE member SET authority_test_from = '2020-01-01', authority_live_from = '2020-01-01' WHERE id = $1",
    id,
  );
  const scope = { merchantId, environment };
  return { id, email, context: { scope, actor: { type: "member", id }, requestId: null, address: null } };
}

/** Registers somebody, by default for mails about approvals at once; returns the registration's id and secret. */
export async function register(
  { context }: Pick<Person, "context">,
  changes: Partial<CreateRegistration> = {},
): Promise<{ readonly id: string; readonly secret: string }> {
  const types = ["approval_waiting"] as const;
  const terms = { channel: "mail", url: null, address: null, types, schedule: AT_ONCE, ...changes } as const;
  const { registration, secret } = await registerForNotifications(context, terms);
  return { id: registration.id, secret: secret ?? "" };
}

/** Finds and sends everything that is due at that many ms from now. Like a worker, it begins without any merchant's reach. */
export async function work(afterMs = 10_000): Promise<void> {
  const shared = globalThis as typeof globalThis & { sluiceProcessReach?: string };
  delete shared.sluiceProcessReach;
  try {
    const at = new Date(Date.now() + afterMs);
    while ((await findNotifications()) > 0);
    while ((await sendDueNotifications(at)) > 0);
  } finally {
    reachEveryMerchant();
  }
}

export interface StoredNotification {
  readonly type: string;
  readonly object_id: string;
  readonly state: string;
  readonly attempts: number;
  readonly message_id: string | null;
  readonly failure: string | null;
  readonly due_at: Date | null;
}

/** The rows of a registration, oldest first. */
export function notificationsOf(registrationId: string): Promise<StoredNotification[]> {
  return query<StoredNotification>(
    `SELECT type, object_id, state, attempts, message_id, failure, due_at FROM notification
     WHERE registration_id = $1 ORDER BY id`,
    registrationId,
  );
}
