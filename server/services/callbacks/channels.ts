// How each provider reports changes, learned from its callbacks. Where in doubt it counts as sending none, and is polled
// more often.
import {
  type CallbackChannel,
  listReportingChannelsAcrossMerchants,
  noteCallbackAcrossMerchants,
} from "@/server/db/callback-channels";
import type { Reporting } from "@/server/domain/polling";
import { perCell } from "@/server/platform/cell";
import { log } from "@/server/platform/log";
import { gatewayByName } from "@/server/psp/registry";

/** A channel sends callbacks if one about its intents arrived within this time, even if a poll had been faster. */
const RELIED_ON_SECONDS = 10 * 60;
/** What this process knows is read again after this time, and not used after the longer one. */
const READ_AGAIN_MS = 10_000;
const OUTDATED_MS = 60_000;
/** A process notes a channel at most this often. */
const NOTED_EVERY_MS = 30_000;

interface Known {
  readonly channels: ReadonlySet<string>;
  readonly at: number;
}

interface State {
  known: Known;
  reading: boolean;
  /** When this process last noted a channel, in ms of its timer. */
  readonly noted: Map<string, number>;
}

/** Next's bundles and the custom server are separate module graphs; they share state through globalThis. */
const shared = globalThis as typeof globalThis & { sluiceCallbackChannels?: Map<string, State> };
shared.sluiceCallbackChannels ??= new Map();
const states = shared.sluiceCallbackChannels;

/** What each cell's callbacks have shown. */
const state = perCell(
  (): State => ({
    known: { channels: new Set(), at: Number.NEGATIVE_INFINITY },
    reading: false,
    noted: new Map(),
  }),
  states,
);

const nameOf = ({ provider, channel }: CallbackChannel): string => `${provider}/${channel}`;

/** Reads the channels that send callbacks. */
export async function readCallbackChannels(): Promise<void> {
  const at = performance.now();
  const rows = await listReportingChannelsAcrossMerchants(RELIED_ON_SECONDS);
  state().known = { channels: new Set(rows.map(nameOf)), at };
}

/** Reads them beside the caller, who does not wait. */
function readBeside(): void {
  const now = state();
  if (now.reading || performance.now() - now.known.at < READ_AGAIN_MS) return;
  now.reading = true;
  readCallbackChannels()
    .catch((error: unknown) => log().warn({ err: error }, "the channels of callbacks could not be read"))
    .finally(() => {
      now.reading = false;
    });
}

/** How changes of an accepted intent of this provider and channel reach us. */
export function reportingOf(provider: string, channel: string): Reporting {
  if (gatewayByName(provider)?.isOurs) return "here";
  readBeside();
  const { channels, at } = state().known;
  const isCurrent = performance.now() - at < OUTDATED_MS;
  return isCurrent && channels.has(nameOf({ provider, channel })) ? "callbacks" : "polls";
}

/** Notes a callback about an intent of this channel. A failure changes only how often the channel is polled. */
export async function noteCallback(channel: CallbackChannel): Promise<void> {
  const { noted } = state();
  const name = nameOf(channel);
  if (performance.now() - (noted.get(name) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY_MS) return;
  noted.set(name, performance.now());
  await noteCallbackAcrossMerchants(channel).catch((error: unknown) =>
    log().warn({ err: error, ...channel }, "a callback's channel could not be noted"),
  );
}

/** Drops what this process knows, as in a new process. */
export function forgetCallbackChannels(): void {
  states.clear();
}
