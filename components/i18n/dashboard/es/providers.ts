import type { Catalogue } from "../en";

export const providers = {
  providers: "Proveedores",
  whoCarriesYourPaymentsPayoutsAnd:
    "Quién procesa sus pagos, desembolsos y recargas, y cómo van sus propias operaciones allí.",
  noProviderServesThisMerchantIn:
    "Ningún proveedor atiende a este comercio en {environment, select, live {producción} other {prueba}}. Los configura el operador.",
  n1000OrMore: "1000 o más",
  none: "ninguna",
  allAnswered: "todas respondidas",
  withoutAnswerWithoutAUsableAnswer: "{withoutAnswer} sin respuesta útil",
  openIntents: "Operaciones abiertas",
  ofTheseLate: "De estas, atrasadas",
  last15Minutes: "Últimos 15 minutos",
  lastUsableAnswer: "Última resposta útil",
  noneWithinADay: "Ninguna en un día",
  paused: "Pausado",
  yourAccountThere: "Su cuenta allí",
  paymentMethods: "Medios de pago",
  offersTopups: "Recargas",
  yes: "Sí",
  no: "No",
  working: "Funcionando",
  workIsLate: "Trabajo atrasado",
  someOfYourOpenIntentsShould: "Algunas de sus operaciones abiertas debieron seguirse hace más de un minuto.",
  notAnswering: "No responde",
  mostRecentCallsGotNoUsable:
    "La mayoría de las llamadas recientes no tuvo respuesta útil. Sluice pregunta por cada una hasta estar segura; nada se envía dos veces.",
  theOperatorHoldsBackNewPayouts:
    "El operador retiene los desembolsos nuevos, o todo trabajo nuevo, en las monedas de abajo.",
  notConfigured: "Sin configurar",
  yourOpenIntentsWaitUntilThe:
    "Sus operaciones abiertas esperan hasta que el operador configure de nuevo este proveedor.",
  payoutCurrencies: "Desembolsos",
  payments: "{count, plural, one {{shown} pago} other {{shown} pagos}}",
  payouts: "{count, plural, one {{shown} desembolso} other {{shown} desembolsos}}",
  topups: "{count, plural, one {{shown} recarga} other {{shown} recargas}}",
  calls: "{count, plural, one {{shown} llamada} other {{shown} llamadas}}",
  intents: "{count, plural, one {{shown} operación} other {{shown} operaciones}}",
} satisfies Readonly<Record<keyof Catalogue["providers"], string>>;
