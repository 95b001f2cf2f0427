import { describe, expect, it } from 'vitest';
import type { WireProfile } from '../../../../shared/wire/examples.ts';
import { wirePreview } from './wirePreview.ts';

const profile: WireProfile = {
  imagePrefix: 'mj',
  vendor: 'acme',
  imageAuthHeaders: ['X-API-Key'],
  fieldCase: 'camel',
  seedPlacement: 'config',
  hasBotToken: false,
};

describe('what would be sent', () => {
  it('spells fields as the dialect does (spec 2.2)', () => {
    const camel = JSON.stringify(wirePreview(profile, 'video').body);
    const snake = JSON.stringify(wirePreview({ ...profile, fieldCase: 'snake' }, 'video').body);
    expect(camel).toContain('"acme":{"image":{"uri":"…"},"lastFrame"');
    expect(snake).toContain('"last_frame"');
    expect(snake).toContain('"duration_seconds":6');
    expect(snake).not.toContain('sampleCount');
  });

  it('names the extra headers, never their values', () => {
    const extraHeaders = { 'X-Team': 'team-secret', 'X-Old': null };
    for (const kind of ['video', 'image', 'edit'] as const) {
      const { headers } = wirePreview({ ...profile, extraHeaders }, kind);
      expect(headers).toEqual(expect.arrayContaining(['X-Team: ••••', 'X-Old: ••••']));
    }
  });

  it('uses the prefix, the first header and the tunnel for images (spec 4.2, 5.3), and shows no key', () => {
    const tunnel = { ...profile, webhookBase: 'https://tunnel.example/' };
    const preview = wirePreview(tunnel, 'edit');
    expect(preview.path).toBe('/mj/submit/edits');
    expect(preview.headers[0]).toBe('X-API-Key: sk-••••');
    expect(preview.body.hookUrl).toBe('https://tunnel.example/hooks/…');
  });

  it('sends a bot token only beside a key header of its own (spec 5.3)', () => {
    const withBot = { ...profile, hasBotToken: true };
    expect(wirePreview(withBot, 'image').headers).toContain('Authorization: Bot ••••');
    const clash = { ...withBot, imageAuthHeaders: ['Authorization'] };
    expect(wirePreview(clash, 'image').headers.join(' ')).not.toContain('Bot');
  });
});
