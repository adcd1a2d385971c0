import { CircleCheck, CircleX } from "lucide-react";
import { TextLink } from "../ui/text-link";

interface InstanceStateProps {
  readonly isReady: boolean;
  readonly baseUrl: string;
  readonly apiVersion: string;
}

export function InstanceState({ isReady, baseUrl, apiVersion }: InstanceStateProps) {
  const Icon = isReady ? CircleCheck : CircleX;
  return (
    <dl className="grid gap-x-6 text-sm [&>div]:flex [&>div]:flex-wrap [&>div]:justify-between [&>div]:gap-x-6 [&>div]:border-t [&>div]:border-line [&>div]:py-2.5 [&_dt]:text-ink-soft">
      <div>
        <dt>Instance</dt>
        <dd className={`flex items-center gap-1.5 font-medium ${isReady ? "text-good" : "text-bad"}`}>
          <Icon className="size-4" aria-hidden="true" />
          {isReady ? "Ready, database answers" : "Not ready, database does not answer"}
        </dd>
      </div>
      <div>
        <dt>API</dt>
        <dd className="font-mono text-xs leading-[inherit] wrap-anywhere">{baseUrl}/v1</dd>
      </div>
      <div>
        <dt>API version</dt>
        <dd className="figures">{apiVersion}</dd>
      </div>
      <div>
        <dt>OpenAPI document</dt>
        <dd>
          <TextLink href="/openapi.json">/openapi.json</TextLink>
        </dd>
      </div>
      <div>
        <dt>Documentation</dt>
        <dd>
          <TextLink href="/docs">/docs</TextLink>
        </dd>
      </div>
    </dl>
  );
}
