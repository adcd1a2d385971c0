// Owns adding a webhook endpoint, and showing its secret once.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { EVENT_TYPES, type EventType } from "@/server/domain/events";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { SecretOnce } from "./secret-once";

export default function CreateEndpointDialog({ onClose }: { readonly onClose: () => void }) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [url, setUrl] = useState("");
  const [description, setDescription] = useState("");
  const [types, setTypes] = useState<readonly EventType[]>(EVENT_TYPES);
  const create = useMutation(
    trpc.webhookEndpoints.create.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.webhookEndpoints.list.queryKey() }),
    }),
  );

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (create.isPending) return;
    const eventTypes = types.length === EVENT_TYPES.length ? null : [...types];
    create.mutate({ environment, url: url.trim(), description: description.trim(), event_types: eventTypes });
  }

  if (create.data?.secret) {
    return (
      <Dialog title="Endpoint added" onClose={onClose}>
        <SecretOnce secret={create.data.secret} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={`Add an endpoint in ${environment}`} onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <Field
          id="endpoint-url"
          label="URL"
          type="url"
          required
          data-first-focus=""
          autoComplete="off"
          placeholder="https://shop.example/hooks"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Field
          id="endpoint-description"
          label="Description (optional)"
          maxLength={255}
          autoComplete="off"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <EventPicker chosen={types} onChange={setTypes} />
        <FormEnd
          refusal={create.error ? failureOf(create.error).message : null}
          onClose={onClose}
          action={["Add endpoint", "Adding…"]}
          isPending={create.isPending}
          isIncomplete={types.length === 0}
        />
      </form>
    </Dialog>
  );
}

interface EventPickerProps {
  readonly chosen: readonly EventType[];
  readonly onChange: (types: readonly EventType[]) => void;
}

function EventPicker({ chosen, onChange }: EventPickerProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">Events</legend>
      {EVENT_TYPES.map((type) => (
        <label key={type} className="flex min-h-8 items-center gap-2.5 font-mono text-xs">
          <input
            type="checkbox"
            className="size-4.5 shrink-0 accent-accent"
            checked={chosen.includes(type)}
            onChange={(event) =>
              onChange(EVENT_TYPES.filter((known) => (known === type ? event.target.checked : chosen.includes(known))))
            }
          />
          <span className="wrap-anywhere">{type}</span>
        </label>
      ))}
      <p className="caption">{chosen.length === 0 ? "Choose at least one." : "All are chosen at first."}</p>
    </fieldset>
  );
}
