import type { ConnectionStep } from '../../src/shared/connection.ts';
import type { CallOutput } from '../../src/shared/contract.ts';
import type { Conversation, Message } from '../../src/shared/conversation.ts';
import { DEFAULT_PRICES, type Price, type PriceInterpretation, priceFor } from '../../src/shared/price.ts';
import type { PriceChange, PricePreview } from '../../src/shared/priceList.ts';
import { DEFAULT_MODELS, type ProfileView } from '../../src/shared/profile.ts';
import { DAY, dollars, HOUR, MINUTE, NOW } from './data.ts';

/** Gateways, prices and talks of the same studio. */
export const profiles = (key: string | null = null): ProfileView[] => [
  {
    id: 'studio',
    name: 'Studio gateway',
    baseUrl: 'https://gateway.example',
    imagePrefix: 'image',
    vendor: 'vendor',
    imageAuthHeaders: ['X-API-Key'],
    extraHeaders: { 'X-Gateway-Team': null, 'X-Route': null },
    fieldCase: 'camel',
    seedPlacement: 'config',
    samplePlacement: 'seed',
    pictures: 'link',
    omittedFields: [],
    idempotency: { kind: 'none' },
    webhookBase: 'https://tunnel.example',
    prices: [],
    limits: {
      videoPerMinute: 10,
      videosAtOnce: 2,
      imagesAtOnce: 4,
      chatsAtOnce: 4,
      downloadsAtOnce: 3,
      contextTokens: 128_000,
      outputTokens: 4_096,
    },
    models: DEFAULT_MODELS,
    key: key === 'none' ? null : key === 'memory' || key === 'environment' ? key : 'keychain',
    hasBotToken: false,
    missingHeaders: ['X-Route'],
    builtin: false,
  },
  {
    id: 'sandbox',
    name: 'Sandbox',
    baseUrl: 'http://127.0.0.1:45001',
    imagePrefix: 'image',
    vendor: 'vendor',
    imageAuthHeaders: ['X-API-Key', 'Authorization'],
    extraHeaders: {},
    fieldCase: 'camel',
    seedPlacement: 'config',
    samplePlacement: 'seed',
    pictures: 'link',
    omittedFields: [],
    idempotency: { kind: 'none' },
    prices: [],
    limits: {
      videoPerMinute: 10,
      videosAtOnce: 4,
      imagesAtOnce: 4,
      chatsAtOnce: 4,
      downloadsAtOnce: 3,
      contextTokens: 128_000,
      outputTokens: 4_096,
    },
    models: DEFAULT_MODELS,
    key: null,
    hasBotToken: false,
    missingHeaders: [],
    builtin: true,
  },
];

/** The steps of a test that fails at `failing`; without one only a model is missing. */
export function connectionSteps(failing: string | null): ConnectionStep[] {
  const steps: ConnectionStep[] = [
    { name: 'dns', ok: true, message: 'gateway.example, 2 addresses', ms: 12 },
    { name: 'connect', ok: true, message: 'port 443', ms: 31 },
    { name: 'tls', ok: true, message: '1.3, valid until 4 Feb', ms: 38 },
    { name: 'key', ok: true, message: 'accepted, 9 models listed', ms: 112 },
    { name: 'protocol', ok: true, message: 'chat streams, usage is sent', ms: 640 },
    { name: 'model', ok: false, message: 'video-pro not listed, may still work' },
  ];
  const at = steps.findIndex(({ name }) => name === failing);
  if (at < 0) return steps;
  const message = FAILURES[failing ?? ''] ?? 'It failed.';
  return steps.slice(0, at + 1).map((step, place) => (place === at ? { ...step, ok: false, message } : step));
}

const FAILURES: Record<string, string> = {
  dns: 'gateway.example is not known: there is no such name. Check the address in the profile.',
  connect: 'gateway.example refused the connection on port 443.',
  tls: "The certificate is not for gateway.example: it names 'other.example'.",
  key: 'The key was refused (401) with every header spelling: Authorization, X-API-Key, api-key.',
  protocol: 'It answered with a web page (404 at /v1/models): the base URL may need a path such as /api.',
};

export const prices = () => [...DEFAULT_PRICES];

const TITLES: [title: string, ago: number, cost: number][] = [
  ['Five shots, one night', 4 * MINUTE, 0.027],
  ['Names for the boat', DAY, 0.0041],
  ['Sound of rain on glass', DAY + HOUR, 0.0063],
  ['Why does the coat change colour', 2 * DAY, 0.0118],
  ['Salt Road, voice-over v3', 4 * DAY, 0.0192],
  ['Logline, 40 words', 5 * DAY, 0.0009],
  ['Colour script from stills', 7 * DAY, 0.0087],
  ['Seeds that hold a face', 10 * DAY, 0.0034],
];

export const conversations = (): Conversation[] =>
  TITLES.map(([title, ago, cost], index) => ({
    id: `chat_${index}`,
    revision: 1,
    title,
    projectId: index > 3 ? 'salt' : 'ferry',
    model: 'language-exp-thinking',
    system:
      "You are the director's assistant on a short film. Answer in the present tense. Shots last 4, 6 or 8 seconds; extensions 7.",
    createdAt: NOW - ago - HOUR,
    updatedAt: NOW - ago,
    messageCount: 4,
    chargedNano: dollars(cost),
    uncertainNano: 0,
    unpriced: 0,
    director: true,
  }));

const messages = (conversationId: string): Message[] => [
  {
    id: 'm1',
    revision: 1,
    conversationId,
    branch: 'b1',
    role: 'user',
    state: 'done',
    createdAt: NOW - 8 * MINUTE,
    text: 'Thirty seconds, five shots, one night crossing. Keep the woman in the wool coat. I want the fourth shot to be the same breath as the third, and dawn only at the very end. Tell me what it would cost.',
  },
  {
    id: 'm2',
    revision: 1,
    conversationId,
    branch: 'b1',
    role: 'assistant',
    model: 'language-exp-thinking',
    state: 'done',
    createdAt: NOW - 8 * MINUTE,
    jobId: 'job_chat1',
    reasoning:
      'The joint between the third and the fourth shot carries the piece. An extension keeps motion and sound.',
    usage: { promptTokens: 1_412, completionTokens: 683, totalTokens: 2_095 },
    toolCalls: [{ id: 'call_1', name: 'draft_shots', arguments: '{"count":5,"seconds":[8,4,6,7,6]}' }],
    text: [
      'Five shots, thirty-one seconds. The joint that matters is **3 to 4**: extending keeps motion and sound, so her turn is one breath rather than a cut. An extension must use the same model as its source, and adds about 7 s.',
      '',
      '| Shot | Starts from | Length |',
      '| --- | --- | --- |',
      '| Harbour, rain, the boat still lit | text | 8 s |',
      '| Push in to the deck lamp | first frame | 4 s |',
      '| She watches the lights go | references | 6 s |',
    ].join('\n'),
  },
  {
    id: 'm3',
    revision: 1,
    conversationId,
    branch: 'b1',
    role: 'user',
    state: 'done',
    createdAt: NOW - 4 * MINUTE,
    text: 'Shot 2 is too pretty. Make the lamp uglier, and say what the prompt should avoid.',
  },
  {
    id: 'm4',
    revision: 1,
    conversationId,
    branch: 'b1',
    role: 'assistant',
    model: 'language-exp-thinking',
    state: 'streaming',
    createdAt: NOW - 4 * MINUTE,
    jobId: 'job_chat2',
    text: [
      'Agreed, it reads like a postcard. Three changes:',
      '',
      '1. A caged bulkhead lamp, salt-pitted glass, one bulb dead.',
      '2. No visible beam: rain should *break* the light, not decorate it.',
      '3. Moths few and late, from frame 60 on.',
      '',
      'For the prompt, leave out `cinematic`, `volumetric` and any word for gold. Say what the metal has been through inst',
    ].join('\n'),
  },
];

/** A conversation of one branch. */
export function thread(conversationId: string): CallOutput<'chat.get'> {
  const [newest] = conversations();
  const conversation = conversations().find(({ id }) => id === conversationId) ?? newest;
  if (!conversation) throw new Error('no conversation');
  const branches = [{ id: 'b1', messageId: 'm1', createdAt: NOW - 8 * MINUTE, active: true }];
  return { conversation, messages: messages(conversationId), branch: 'b1', branches, variants: [] };
}

/** What a service might publish, beside what holds. */
export function pricePreview(book: readonly Price[]): PricePreview {
  const from = 'gateway.example/api/pricing';
  const source = `imported from ${from} on 2026-11-21`;
  const change = (
    listed: string,
    kind: Price['kind'],
    reading: PriceInterpretation,
    part: Partial<PriceChange>,
  ): PriceChange => {
    const model = kind === 'image' ? '*' : listed;
    const next: Price = { kind, model, readings: [reading], settledReading: null, source };
    const now = priceFor(book, kind, model) ?? null;
    return { kind, listed, now, next, change: 'dearer', yours: false, used: true, ...part };
  };
  return {
    id: 'prices_1',
    from,
    at: NOW,
    changes: [
      change('language', 'chat', { unit: 'token', inputNano: 220, outputNano: 350 }, { change: 'cheaper' }),
      change('video-standard', 'video', { unit: 'second', nano: 400_000_000 }, { change: 'other' }),
      change('video-pro', 'video', { unit: 'second', nano: 2_500_000_000 }, { yours: true }),
      change('image_relax', 'image', { unit: 'image', nano: 50_000_000 }, { change: 'same' }),
      change('image_turbo', 'image', { unit: 'image', nano: 120_000_000 }, {}),
      change(
        'a-model-with-a-rather-long-name-2026-11-exp-thinking',
        'chat',
        { unit: 'token', inputNano: 37_500_000, outputNano: 150_000_000, perTokens: 1_000_000 },
        { change: 'cheaper', used: false },
      ),
    ],
    refused: [{ model: 'auto', why: 'prompt is negative' }],
    left: 0,
  };
}
