export { answer as GET } from "@/server/http/next-host";
export * from "@/server/http/next-refused-methods";
