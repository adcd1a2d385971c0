// Confirms that an API key is replaced or revoked.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { Question } from "../trpc/question";
import { useAnnounce } from "../ui/announcer";
import { Dialog } from "../ui/dialog";
import { Select } from "../ui/select";
import { PairOnce } from "./pair-once";

export interface KeyDialogProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

const HOUR = 3_600;
const GRACES = [
  { value: String(24 * HOUR), label: "24 hours" },
  { value: String(HOUR), label: "1 hour" },
  { value: String(7 * 24 * HOUR), label: "7 days" },
  { value: "0", label: "It ends at once" },
];

function useRefreshKeys() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: trpc.apiKeys.list.queryKey() });
}

export function RollKeyDialog({ id, name, onClose }: KeyDialogProps) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const [grace, setGrace] = useState(String(24 * HOUR));
  const roll = useMutation(trpc.apiKeys.roll.mutationOptions({ onSettled: useRefreshKeys() }));
  if (roll.data) {
    const { public_key: publicKey, secret_key: secretKey } = roll.data;
    return (
      <Dialog title="Key rolled" onClose={onClose}>
        <PairOnce publicKey={publicKey} secretKey={secretKey} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Question
      title={`Roll ${name}?`}
      act="Roll key"
      isSending={roll.isPending}
      error={roll.error}
      onAct={() => roll.mutate({ environment, id, grace_seconds: Number(grace) })}
      onClose={onClose}
    >
      <p className="text-sm">
        A new pair takes its place. The old one goes on for a time, so that what uses it can change over; revoke it
        sooner once nothing does.
      </p>
      <Select id="key-grace" label="Old key keeps working for" options={GRACES} value={grace} onChange={setGrace} />
    </Question>
  );
}

export function RevokeKeyDialog({ id, name, onClose }: KeyDialogProps) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const announce = useAnnounce();
  const refresh = useRefreshKeys();
  const revoke = useMutation(
    trpc.apiKeys.revoke.mutationOptions({
      onSuccess: () => {
        announce(`${name} is revoked.`);
        onClose();
      },
      onSettled: refresh,
    }),
  );
  return (
    <Question
      title={`Revoke ${name}?`}
      act="Revoke key"
      isDangerous
      isSending={revoke.isPending}
      error={revoke.error}
      onAct={() => revoke.mutate({ environment, id })}
      onClose={onClose}
    >
      <p className="text-sm">
        Every request with it is refused within a second. This cannot be undone; to change over without a gap, roll the
        key instead.
      </p>
    </Question>
  );
}
