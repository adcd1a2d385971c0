// Connections that the main process has handed to a web process. Node forgets those that a process had not taken when it
// died: nobody would answer or close them.
import type { Worker } from "node:cluster";

/** What `cluster` sends with a connection, and what the process replies once it has taken or refused it. */
interface Handover {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
  readonly accepted?: boolean;
}

/** A connection's handle in the main process, which keeps it open until the reply. */
interface Handle {
  close(): void;
}

type Send = (message: Handover, handle?: Handle, ...more: unknown[]) => boolean;

const CLUSTER = "NODE_CLUSTER";

/** Processes that take connections. */
const listening = new Set<Worker>();

/**
 * Hands the connections that the process has not taken when it dies to another process, or closes them if there is none.
 * A process replies before it reads from a connection, and its replies arrive before its end: what it has not replied to
 * is unread. `cluster` redistributes what a process refuses, so the refusal is reported in the dead process's place.
 */
export function rescueConnections(worker: Worker): void {
  const { process } = worker;
  const handed = new Map<number, Handle>();
  const send = process.send.bind(process) as Send;
  const track: Send = (message, handle, ...more) => {
    if (message.cmd === CLUSTER && message.act === "newconn" && message.seq !== undefined && handle)
      handed.set(message.seq, handle);
    return send(message, handle, ...more);
  };
  process.send = track as typeof process.send;
  process.on("internalMessage", ({ cmd, ack }: Handover) => {
    if (cmd === CLUSTER && ack !== undefined) handed.delete(ack);
  });
  worker.once("listening", () => listening.add(worker));
  process.once("disconnect", () => {
    listening.delete(worker);
    const left = [...handed];
    handed.clear();
    for (const [ack, handle] of left) {
      if (listening.size === 0) handle.close();
      else
        process.emit("internalMessage" as never, { cmd: CLUSTER, ack, accepted: false } as never, undefined as never);
    }
  });
  process.once("exit", () => noteDisconnect(worker));
}

/** Node waits until a process has confirmed the last handle that it was sent, which a dead one never does. */
function noteDisconnect({ process }: Pick<Worker, "process">): void {
  // The last replies have been read once the end of the channel has.
  if (process.connected) setImmediate(noteDisconnect, { process });
  else process.emit("disconnect");
}
