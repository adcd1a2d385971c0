// Limits failed sign-ins per member and source, across processes, before any password is hashed.
import pLimit from "p-limit";
import { type AttemptLimit, type CountName, createAttemptLimit } from "@/server/db/sign-in-counts";
import { inSharedCell } from "@/server/platform/cell";
import { limitedNetwork } from "@/server/platform/client-address";
import { keyedDigest } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import { createStrangerLimit } from "./stranger-counts";

interface ThrottleLimits {
  /** Of one member, from one source, device or session (PCI DSS 8.3.4: at most ten). */
  readonly failuresPerSource: number;
  /** Of one member, from all sources together that are not known devices. */
  readonly failuresPerMember: number;
  /** Of one source, whatever the member. Larger, since an office may share one address. */
  readonly failuresPerAddress: number;
  /** How long failures count, and how long a full count rejects attempts, in ms. */
  readonly windowMs: number;
}

const LIMITS: ThrottleLimits = {
  failuresPerSource: 10,
  failuresPerMember: 30,
  failuresPerAddress: 50,
  windowMs: 30 * 60_000,
};

/** Maximum concurrent database connections for counting: a flood of attempts must not take them from payments. */
const CONNECTIONS = 2;
/** How many addresses without a member one process counts. */
const STRANGERS = 10_000;

/** Where an attempt comes from. Each has its own count, so that no other source can use it up. */
export type AttemptSource =
  /** An open session of the member. */
  | { readonly kind: "session" }
  /** A browser in which the member signed in before. */
  | { readonly kind: "device"; readonly id: string }
  | { readonly kind: "address"; readonly address: string };

export interface Attempt {
  /** The number of this attempt in its count: the member's total for addresses, the source's own otherwise. */
  readonly number: number;
  /** What the failure of this attempt pauses; null if attempts remain. */
  readonly pauses: "session" | "device" | "address" | "unknown_devices" | null;
}

export interface SignInThrottle {
  /** Counts an attempt from an address, whatever the member. Returns false if the address has no attempts left. */
  beginFrom(address: string): Promise<boolean>;
  /**
   * Counts the attempt as a failure in advance, so that concurrent attempts cannot exceed the limit. Returns null if the
   * source, or the member's total of unknown devices, has no attempts left.
   */
  begin(account: string, source: AttemptSource): Promise<Attempt | null>;
  /** Undoes the count of a successful attempt: resets the source, and returns one attempt to the member's total. */
  succeed(account: string, source: AttemptSource): Promise<void>;
  /** Returns the attempt of a success to its address. */
  succeedFrom(address: string): Promise<void>;
}

type Subject = "member" | "session" | "source" | "device";

/** Counts the attempts at accounts, in the limits that `limitOf` makes. */
function createAccountCounts(
  limitOf: (subject: Subject, attempts: number) => AttemptLimit,
  { failuresPerSource, failuresPerMember }: ThrottleLimits,
): Pick<SignInThrottle, "begin" | "succeed"> {
  const members = limitOf("member", failuresPerMember);
  const sources = {
    session: limitOf("session", failuresPerSource),
    device: limitOf("device", failuresPerSource),
    address: limitOf("source", failuresPerSource),
  };

  return {
    async begin(account, source) {
      const own = await sources[source.kind].take(sourceKey(account, source));
      if (own === null) return null;
      const pausesOwn = own === failuresPerSource ? source.kind : null;
      if (source.kind !== "address") return { number: own, pauses: pausesOwn };
      const total = await members.take(signInDigest(account));
      if (total === null) return null;
      return { number: total, pauses: total === failuresPerMember ? "unknown_devices" : pausesOwn };
    },
    async succeed(account, source) {
      await sources[source.kind].clear(sourceKey(account, source));
      if (source.kind === "address") await members.giveBack(signInDigest(account));
    },
  };
}

function sourceKey(account: string, source: AttemptSource): string {
  const digest = signInDigest(account);
  if (source.kind === "session") return digest;
  const name = source.kind === "device" ? source.id : limitedNetwork(source.address);
  return `${digest}:${signInDigest(`${account}|${name}`)}`;
}

/** Creates the throttle for passwords, one-time codes or passkeys. Each has its own counts, shared by all processes. */
export function createSignInThrottle(
  what: "password" | "code" | "passkey",
  limits: ThrottleLimits = LIMITS,
): SignInThrottle {
  const { windowMs, failuresPerAddress } = limits;
  const inTurn = pLimit(CONNECTIONS);
  const limitOf = (counts: CountName, attempts: number) =>
    takingTurns(createAttemptLimit({ counts, attempts, windowMs }), inTurn);
  const addresses = limitOf(`${what}:address`, failuresPerAddress);
  // Whoever tries people of several cells has no more attempts than others.
  const ofAddress = <Result>(run: (key: string) => Promise<Result>, address: string) =>
    inSharedCell(() => run(signInDigest(limitedNetwork(address))));

  return {
    ...createAccountCounts((subject, attempts) => limitOf(`${what}:${subject}`, attempts), limits),
    beginFrom: async (address) => (await ofAddress(addresses.take, address)) !== null,
    succeedFrom: (address) => ofAddress(addresses.giveBack, address),
  };
}

/** The same limits for addresses that belong to no member, so that the pause does not reveal which ones do. */
export function createStrangerThrottle(limits = LIMITS, capacity = STRANGERS): Pick<SignInThrottle, "begin"> {
  const { windowMs } = limits;
  return createAccountCounts((_, attempts) => createStrangerLimit({ attempts, windowMs, capacity }), limits);
}

function takingTurns(limit: AttemptLimit, inTurn: ReturnType<typeof pLimit>): AttemptLimit {
  return {
    take: (key) => inTurn(() => limit.take(key)),
    giveBack: (key) => inTurn(() => limit.giveBack(key)),
    clear: (key) => inTurn(() => limit.clear(key)),
  };
}

/** Stands for a member, an email address or a network in counts and log lines. */
export function signInDigest(name: string): string {
  return keyedDigest(keyRing(), "sign-in-count", name);
}
