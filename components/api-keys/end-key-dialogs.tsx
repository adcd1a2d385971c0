// Confirms that an API key is replaced or revoked.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
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
const gracesIn = (texts: Texts) => [
  { value: String(24 * HOUR), label: texts("keys.n24Hours") },
  { value: String(HOUR), label: texts("keys.n1Hour") },
  { value: String(7 * 24 * HOUR), label: texts("keys.n7Days") },
  { value: "0", label: texts("keys.itEndsAtOnce") },
];

function useRefreshKeys() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: trpc.apiKeys.list.queryKey() });
}

export function RollKeyDialog({ id, name, onClose }: KeyDialogProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const [grace, setGrace] = useState(String(24 * HOUR));
  const roll = useMutation(trpc.apiKeys.roll.mutationOptions({ onSettled: useRefreshKeys() }));
  if (roll.data) {
    const { public_key: publicKey, secret_key: secretKey } = roll.data;
    return (
      <Dialog title={texts("keys.keyRolled")} onClose={onClose}>
        <PairOnce publicKey={publicKey} secretKey={secretKey} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Question
      title={texts("keys.rollName", { name })}
      act={texts("keys.rollKey")}
      isSending={roll.isPending}
      error={roll.error}
      onAct={() => roll.mutate({ environment, id, grace_seconds: Number(grace) })}
      onClose={onClose}
    >
      <p className="text-sm">{texts("keys.rollEffect")}</p>
      <Select
        id="key-grace"
        label={texts("keys.overlap")}
        options={gracesIn(texts)}
        value={grace}
        onChange={setGrace}
      />
    </Question>
  );
}

export function RevokeKeyDialog({ id, name, onClose }: KeyDialogProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const announce = useAnnounce();
  const refresh = useRefreshKeys();
  const revoke = useMutation(
    trpc.apiKeys.revoke.mutationOptions({
      onSuccess: () => {
        announce(texts("keys.nameIsRevoked", { name }));
        onClose();
      },
      onSettled: refresh,
    }),
  );
  return (
    <Question
      title={texts("keys.revokeName", { name })}
      act={texts("keys.revokeKey")}
      isDangerous
      isSending={revoke.isPending}
      error={revoke.error}
      onAct={() => revoke.mutate({ environment, id })}
      onClose={onClose}
    >
      <p className="text-sm">{texts("keys.revokeEffect")}</p>
    </Question>
  );
}
