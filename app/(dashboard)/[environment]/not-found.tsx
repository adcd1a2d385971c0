import { EnvironmentHint } from "@/components/shell/environment-hint";

export default function ObjectNotFound() {
  return (
    <div className="grid justify-items-start gap-3 py-10">
      <h1 className="text-xl">There is nothing here</h1>
      <EnvironmentHint />
    </div>
  );
}
