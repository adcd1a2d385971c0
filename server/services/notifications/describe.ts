// The words and facts of what a message is about, for its reader, by type.
import { findNoticesOf } from "@/server/db/authority-notices";
import {
  findAssignedExceptions,
  findFailingEndpoints,
  findOpenExceptions,
  findProposedPolicies,
  findProposedRefunds,
  findProposedTerms,
  findWaitingPayouts,
} from "@/server/db/notifications/subjects";
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { localSum } from "@/server/domain/local-sum";
import { toReadableString } from "@/server/domain/money";
import type { SentType } from "@/server/domain/notification";
import type { Scope } from "@/server/domain/scope";
import { say } from "@/server/domain/texts/say";
import { wordIn } from "@/server/domain/texts/translate";
import { textOf } from "../notices/notices";

/** One notification, described. It holds no secret, no account number and nothing of payers and recipients. */
export interface Item {
  readonly type: SentType;
  /** Null for what belongs to no merchant. */
  readonly merchant: { readonly id: string; readonly name: string } | null;
  /** Begins after the merchant's name: "payout of 250.00 BRL waits for your approval". */
  readonly text: string;
  /** An instant that the text refers to, and how. */
  readonly time: { readonly label: "since" | "until" | "at"; readonly at: Date } | null;
  /** The path of its page below the environment; empty for the overview. */
  readonly path: string;
  /** Facts for machines, in wire names. */
  readonly data: Readonly<Record<string, string | null>>;
}

export type Described = Omit<Item, "type" | "merchant">;

/** Who reads a message: a member, or the operator. */
export interface Reader {
  readonly memberId: string | null;
  readonly language: DashboardLanguage;
}

function sumIn(language: DashboardLanguage, amount: bigint, currency: string): string {
  return localSum(language, `${toReadableString(amount, currency)} ${currency}`);
}

/** Those of the objects that the type still applies to, by id. */
export async function describe(
  scope: Scope,
  type: SentType,
  ids: readonly string[],
  { memberId, language }: Reader,
): Promise<ReadonlyMap<string, Described>> {
  switch (type) {
    case "approval_waiting":
    case "approval_lapsing":
      return memberId === null ? new Map() : describePayouts(scope, type, ids, { memberId, language });
    case "refund_proposed":
      return describeRefunds(scope, ids, language);
    case "exception_opened":
      return describeExceptions(scope, ids, language);
    case "exception_assigned":
      return memberId === null ? new Map() : describeAssigned(scope, ids, { memberId, language });
    case "endpoint_failing":
      return describeEndpoints(scope, ids, language);
    case "policy_proposed":
      return describePolicies(scope, ids, language);
    case "topup_terms_proposed":
      return describeTerms(scope, ids, language);
    case "security":
      return describeNotices(scope.merchantId, ids, { memberId, language });
    case "test": {
      const text = say(language, "this is a test: notifications reach you here");
      return new Map(ids.map((id) => [id, { text, time: null, path: "notifications", data: {} }]));
    }
  }
}

async function describePayouts(
  scope: Scope,
  type: "approval_waiting" | "approval_lapsing",
  ids: readonly string[],
  { memberId, language }: ReadingMember,
): Promise<Map<string, Described>> {
  const text =
    type === "approval_waiting"
      ? "payout of {sum} waits for your approval"
      : "payout of {sum} is cancelled soon unless it is approved";
  return new Map(
    (await findWaitingPayouts(scope, ids, memberId)).map(({ id, amount, currency, createdAt, lapsesAt }) => [
      id,
      {
        text: say(language, text, { sum: sumIn(language, amount, currency) }),
        time: { label: "until", at: lapsesAt },
        path: `payouts/${id}`,
        data: {
          payout_intent_id: id,
          amount: amount.toString(),
          currency,
          created_at: createdAt.toISOString(),
          lapses_at: lapsesAt.toISOString(),
        },
      },
    ]),
  );
}

interface ReadingMember extends Reader {
  readonly memberId: string;
}

async function describeExceptions(
  scope: Scope,
  ids: readonly string[],
  language: DashboardLanguage,
): Promise<Map<string, Described>> {
  return new Map(
    (await findOpenExceptions(scope, ids)).map(({ id, kind, subjectId, openedAt }) => [
      id,
      {
        text: say(language, "exception about {subject}: {kind}", {
          subject: subjectId,
          kind: wordIn(language, kind.replaceAll("_", " ")),
        }),
        time: { label: "since", at: openedAt },
        path: `exceptions?object_id=${encodeURIComponent(subjectId)}`,
        data: { exception_id: id, kind, object_id: subjectId, opened_at: openedAt.toISOString() },
      },
    ]),
  );
}

async function describeAssigned(
  scope: Scope,
  ids: readonly string[],
  { memberId, language }: ReadingMember,
): Promise<Map<string, Described>> {
  return new Map(
    (await findAssignedExceptions(scope, ids, memberId)).map(({ id, kind, subjectId, openedAt, assignedAt }) => [
      id,
      {
        text: say(language, "exception about {subject} is assigned to you: {kind}", {
          subject: subjectId,
          kind: wordIn(language, kind.replaceAll("_", " ")),
        }),
        time: { label: "since", at: assignedAt },
        path: `exceptions?object_id=${encodeURIComponent(subjectId)}`,
        data: {
          exception_id: id,
          kind,
          object_id: subjectId,
          opened_at: openedAt.toISOString(),
          assigned_at: assignedAt.toISOString(),
        },
      },
    ]),
  );
}

async function describeEndpoints(
  scope: Scope,
  ids: readonly string[],
  language: DashboardLanguage,
): Promise<Map<string, Described>> {
  return new Map(
    (await findFailingEndpoints(scope, ids)).map(({ id, url, failingSince, isDisabled }) => {
      // The rest of the URL may hold a token.
      const { host } = new URL(url);
      return [
        id,
        {
          text: isDisabled
            ? say(language, "webhook endpoint at {host} was disabled", { host })
            : say(language, "webhook endpoint at {host} accepts no deliveries", { host }),
          time: failingSince && { label: "since", at: failingSince },
          path: `webhooks/endpoints/${id}`,
          data: {
            webhook_endpoint_id: id,
            state: isDisabled ? "disabled" : "failing",
            failing_since: failingSince && failingSince.toISOString(),
          },
        },
      ];
    }),
  );
}

async function describePolicies(
  scope: Scope,
  versions: readonly string[],
  language: DashboardLanguage,
): Promise<Map<string, Described>> {
  return new Map(
    (await findProposedPolicies(scope, versions)).map(({ version, proposedAt }) => [
      version,
      {
        text: say(language, "version {version} of the approval policy waits for the decision of a second member", {
          version,
        }),
        time: { label: "since", at: proposedAt },
        path: "policies",
        data: { version, proposed_at: proposedAt.toISOString() },
      },
    ]),
  );
}

async function describeRefunds(
  scope: Scope,
  ids: readonly string[],
  language: DashboardLanguage,
): Promise<Map<string, Described>> {
  return new Map(
    (await findProposedRefunds(scope, ids)).map(({ id, paymentId, amount, currency, proposedAt }) => [
      id,
      {
        text: say(language, "refund of {sum} waits for the decision of a second member", {
          sum: sumIn(language, amount, currency),
        }),
        time: { label: "since", at: proposedAt },
        path: `exceptions?object_id=${encodeURIComponent(paymentId)}`,
        data: {
          refund_id: id,
          payment_intent_id: paymentId,
          amount: amount.toString(),
          currency,
          proposed_at: proposedAt.toISOString(),
        },
      },
    ]),
  );
}

async function describeTerms(
  scope: Scope,
  ids: readonly string[],
  language: DashboardLanguage,
): Promise<Map<string, Described>> {
  return new Map(
    (await findProposedTerms(scope, ids)).map(({ id, proposedAt }) => [
      id,
      {
        text: say(language, "change of the top-up terms waits for the decision of a second member"),
        time: { label: "since", at: proposedAt },
        path: "settings",
        data: { proposal_id: id, proposed_at: proposedAt.toISOString() },
      },
    ]),
  );
}

async function describeNotices(
  merchantId: string,
  entryIds: readonly string[],
  { memberId, language }: Reader,
): Promise<Map<string, Described>> {
  return new Map(
    (await findNoticesOf(merchantId, entryIds, memberId)).map((notice) => [
      notice.entryId,
      {
        text: textOf(notice, language).replace(/\.$/, ""),
        time: { label: "at", at: notice.createdAt },
        path: "audit",
        data: { audit_entry_id: notice.entryId, action: notice.action, created_at: notice.createdAt.toISOString() },
      },
    ]),
  );
}
