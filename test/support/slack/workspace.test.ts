import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { messageComplaints, modalComplaints } from './block-kit.ts';
import { type SlackWorkspace, startSlackWorkspace } from './workspace.ts';

// What the bots are tested with must itself say no where Slack does.
describe('Block Kit’s limits', () => {
  const header = (text: string) => ({ type: 'header', text: { type: 'plain_text', text } });
  const markup = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
  const button = { type: 'button', action_id: 'a', text: { type: 'plain_text', text: 'Go' } };
  const input = {
    type: 'input',
    block_id: 'b',
    label: { type: 'plain_text', text: 'Amount' },
    element: { type: 'plain_text_input', action_id: 'answer' },
  };
  const title = { type: 'plain_text', text: 'Title' };
  const modal = { type: 'modal', callback_id: 'c', title, submit: title, blocks: [input] };

  it('let a good message and a good modal pass', () => {
    const blocks = [header('x'.repeat(150)), markup('*a* &amp; <@U024BE7LH>')];
    expect(messageComplaints({ text: 'x', blocks })).toEqual([]);
    expect(modalComplaints(modal)).toEqual([]);
  });

  it.each([
    ['no text beside the blocks', { blocks: [header('x')] }],
    ['an empty text', { text: ' ' }],
    ['too long a text', { text: 'x'.repeat(4_001) }],
    ['a broadcast in the text', { text: '<!channel>' }],
    ['a link in the text', { text: '<https://a.example|b>' }],
    ['a bare sign', { text: 'a & b' }],
    ['too long a header', { text: 'x', blocks: [header('x'.repeat(151))] }],
    ['an empty header', { text: 'x', blocks: [header('')] }],
    ['an empty section', { text: 'x', blocks: [{ type: 'section' }] }],
    ['a broadcast in a section', { text: 'x', blocks: [markup('<!here>')] }],
    ['an unknown field', { text: 'x', blocks: [{ ...header('x'), colour: 'red' }] }],
    ['an unknown block', { text: 'x', blocks: [{ type: 'sparkles' }] }],
    ['51 blocks', { text: 'x', blocks: Array(51).fill(header('x')) }],
    ['two buttons alike', { text: 'x', blocks: [{ type: 'actions', elements: [button, button] }] }],
    ['no buttons', { text: 'x', blocks: [{ type: 'actions', elements: [] }] }],
    ['deep metadata', { text: 'x', metadata: { event_type: 'e', event_payload: { a: {} } } }],
  ])('refuse %s', (_, message) => {
    expect(messageComplaints(message)).not.toEqual([]);
  });

  it.each([
    ['too long a title', { ...modal, title: { ...title, text: 'x'.repeat(25) } }],
    ['inputs without submit', { ...modal, submit: undefined }],
    ['too much metadata', { ...modal, private_metadata: 'x'.repeat(3_001) }],
    ['fields alike', { ...modal, blocks: [input, input] }],
    ['no blocks', { ...modal, blocks: [] }],
  ])('refuse a modal with %s', (_, view) => {
    expect(modalComplaints(view)).not.toEqual([]);
  });
});

describe('the workspace', () => {
  let slack: SlackWorkspace;
  beforeEach(async () => {
    slack = await startSlackWorkspace({
      transport: 'socket',
      people: ['ama'],
      channels: [{ name: 'sales' }, { name: 'closed', bot: false }],
    });
  });
  afterEach(() => slack.stop());

  const call = async (method: string, args: Record<string, unknown>, token = slack.botToken) => {
    const response = await fetch(`${slack.apiUrl}${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams(args as Record<string, string>),
    });
    return (await response.json()) as Record<string, unknown>;
  };

  it('fails its stop when Slack would have had a complaint', async () => {
    const other = await startSlackWorkspace({ transport: 'http', people: ['ama'], channels: [] });
    const body = new URLSearchParams({ channel: 'C1', text: '<!channel>' });
    const headers = { authorization: `Bearer ${other.botToken}` };
    await fetch(`${other.apiUrl}chat.postMessage`, { method: 'POST', headers, body });
    await expect(other.stop()).rejects.toThrow(/would not have taken[\s\S]*live token/);
  });

  it('answers complaints with invalid_blocks and keeps them in the ledger', async () => {
    const channel = await slack.channelId('sales');
    const blocks = JSON.stringify([{ type: 'header' }]);
    expect(await call('chat.postMessage', { channel, text: 'x', blocks })).toMatchObject({
      ok: false,
      error: 'invalid_blocks',
    });
    // Of its types, and of what is documented beside them.
    expect(slack.takeComplaints()).toHaveLength(2);
    expect(slack.calls('chat.postMessage')[0]?.answer).toMatchObject({ error: 'invalid_blocks' });
  });

  it('keeps a bot out of channels where it is no member', async () => {
    const channel = await slack.channelId('closed');
    expect(await call('chat.postMessage', { channel, text: 'x' })).toMatchObject({
      error: 'not_in_channel',
    });
  });

  it('knows the tokens apart and grants what the manifest grants', async () => {
    expect(await call('apps.connections.open', {})).toMatchObject({ error: 'invalid_auth' });
    expect(await call('auth.test', {}, 'xoxb-other')).toMatchObject({ error: 'invalid_auth' });
    expect(await call('reactions.add', {})).toMatchObject({ error: 'missing_scope' });
    expect(slack.takeComplaints()).toEqual(['reactions.add: has no schema: name it in methods.ts']);
  });

  it('refuses a thread without a parent, and one under a reply', async () => {
    const channel = await slack.channelId('sales');
    const ama = slack.person('ama');
    const parent = await ama.write('sales', 'parent');
    const reply = await ama.write('sales', 'reply', { thread: parent });
    const post = (thread: string) =>
      call('chat.postMessage', { channel, text: 'x', thread_ts: thread });
    expect(await post(parent)).toMatchObject({ ok: true });
    expect(await post('1700000000.000100')).toMatchObject({ error: 'thread_not_found' });
    expect(await post(reply)).toMatchObject({ error: 'thread_not_found' });
    expect(slack.takeComplaints()).toHaveLength(1);
    expect(await slack.transcript('sales')).toBe('ama: parent\n    ama: reply\n    paythread: x');
  });

  it('can be read however long a test waits: the emulator answers 5,000 calls an hour', async () => {
    const ama = slack.person('ama');
    for (let looks = 0; looks < 5_100; looks += 1) await slack.messages('sales');
    await ama.write('sales', 'still read');
    expect(await slack.transcript('sales')).toBe('ama: still read');
  });

  it('does not deliver where nobody is connected', async () => {
    expect(await slack.person('ama').slash('sales', '/charge')).toMatchObject({ ok: false });
  });

  it('knows only the slash commands of the manifest', async () => {
    await expect(slack.person('ama').slash('sales', '/status')).rejects.toThrow(/manifest/);
  });
});
