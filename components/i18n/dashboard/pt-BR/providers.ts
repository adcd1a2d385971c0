import type { Catalogue } from "../en";

export const providers = {
  providers: "Provedores",
  whoCarriesYourPaymentsPayoutsAnd:
    "Quem processa seus pagamentos, repasses e recargas, e como vão suas próprias operações lá.",
  noProviderServesThisMerchantIn:
    "Nenhum provedor atende este lojista em {environment, select, live {produção} other {teste}}. O operador os configura.",
  n1000OrMore: "1.000 ou mais",
  none: "nenhuma",
  allAnswered: "todas respondidas",
  withoutAnswerWithoutAUsableAnswer: "{withoutAnswer} sem resposta útil",
  openIntents: "Operações abertas",
  ofTheseLate: "Destas, atrasadas",
  last15Minutes: "Últimos 15 minutos",
  lastUsableAnswer: "Última resposta útil",
  noneWithinADay: "Nenhuma em um dia",
  paused: "Pausado",
  yourAccountThere: "Sua conta lá",
  paymentMethods: "Formas de pagamento",
  offersTopups: "Recargas",
  yes: "Sim",
  no: "Não",
  working: "Funcionando",
  workIsLate: "Trabalho atrasado",
  someOfYourOpenIntentsShould:
    "Algumas das suas operações abertas deveriam ter sido acompanhadas há mais de um minuto.",
  notAnswering: "Não responde",
  mostRecentCallsGotNoUsable:
    "A maioria das chamadas recentes ficou sem resposta útil. A Sluice pergunta sobre cada uma até ter certeza; nada é enviado duas vezes.",
  theOperatorHoldsBackNewPayouts: "O operador retém novos repasses, ou todo trabalho novo, nas moedas abaixo.",
  notConfigured: "Não configurado",
  yourOpenIntentsWaitUntilThe: "Suas operações abertas aguardam até o operador configurar este provedor de novo.",
  payoutCurrencies: "Repasses",
  payments: "{count, plural, one {{shown} pagamento} other {{shown} pagamentos}}",
  payouts: "{count, plural, one {{shown} repasse} other {{shown} repasses}}",
  topups: "{count, plural, one {{shown} recarga} other {{shown} recargas}}",
  calls: "{count, plural, one {{shown} chamada} other {{shown} chamadas}}",
  intents: "{count, plural, one {{shown} operação} other {{shown} operações}}",
} satisfies Readonly<Record<keyof Catalogue["providers"], string>>;
