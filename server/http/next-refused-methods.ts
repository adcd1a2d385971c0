// Every method that Next routes. A route file exports all of them from here and names those of its path beside: its own
// exports win. Without this, Next would answer the others itself, outside the envelope of the API.
export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
} from "./next-host";
