import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasBrowser, openBrowser } from '../../support/browser.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { practiceAddress } from '../../support/practice.ts';
import { runApp } from '../../support/run-app.ts';

/** What a browser complains about: its console, scripts that failed, requests that did. */
type OpenPage = { readonly page: Page; readonly complaints: string[]; readonly asked: string[] };

describe.runIf(hasBrowser)('the practice page in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const openPage = async (
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<OpenPage> => {
    const { port, path } = practiceAddress((await runApp()).app);
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => {
      if (message.type() !== 'log') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    await page.goto(`http://localhost:${port}${path}`);
    await page.getByRole('button', { name: '/help' }).waitFor();
    return { page, complaints, asked };
  };

  /** Types a command with the keyboard alone: the field has the focus. */
  const typed = async (page: Page, line: string): Promise<void> => {
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  };

  const shows = (page: Page, text: string | RegExp): Promise<void> =>
    page.getByRole('log').getByText(text).first().waitFor();

  const focused = (page: Page): Locator => page.locator(':focus');

  it('charges, approves on the phone and shows the outcome, by keyboard alone and without a complaint', async () => {
    const { page, complaints, asked } = await openPage();
    expect(await focused(page).getAttribute('id')).toBe('typed');
    await typed(page, '/charge 0244123456 50');
    const charge = page.getByRole('log').getByRole('button', { name: 'Charge GHS 50.00' });
    await charge.focus();
    await page.keyboard.press('Enter');
    const pin = page.getByLabel('PIN: any four digits, never your own');
    await pin.waitFor();
    // The pressed button went, and the focus did not fall to the top of the page.
    expect(await focused(page).count()).toBe(1);
    await pin.focus();
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    await page.getByText('Type four digits, such as 1234.').waitFor();
    await page.keyboard.type('34');
    await page.keyboard.press('Enter');
    await shows(page, /from .+: completed/);
    expect(await focused(page).getAttribute('id')).toBe('typed');
    await page.getByText(/The payment service calls back: POST .+ → 200/).waitFor();
    expect(await page.locator('#wire').textContent()).not.toContain('0244123456');
    expect(complaints).toEqual([]);
    expect(new Set(asked)).toEqual(new Set([new URL(page.url()).origin]));
    expect(await page.context().cookies()).toEqual([]);
  });

  it('without a header Origin shows the sentence of the server, and no field that leads nowhere', async () => {
    const { page } = await openPage();
    await page.route('**/try/*/do', async (route) => {
      const [url, body] = [route.request().url(), route.request().postData()];
      const headers = { 'content-type': 'application/json' };
      const refused = await fetch(url, { method: 'POST', headers, body });
      await route.fulfill({ status: refused.status, body: await refused.text() });
    });
    // The page itself is no question to the server.
    void page.reload();
    await page.getByText('Your browser does not say which page asks. Use a newer one.').waitFor();
    expect(await page.locator('#composer').count()).toBe(0);
  });

  it('shows a decline, and keeps an ignored prompt for later, in the Telegram chat on a phone at night', async () => {
    const { page, complaints } = await openPage({
      colorScheme: 'dark',
      viewport: { width: 360, height: 740 },
    });
    await page.getByLabel('Telegram').check();
    await page.getByLabel('Message', { exact: true }).fill('/charge 0244123456 50');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByRole('button', { name: 'Charge GHS 50.00' }).click();
    await page.getByRole('button', { name: 'Ignore' }).click();
    await page.getByText('*170#, My Wallet, My Approvals: GHS 50.00').waitFor();
    expect(await focused(page).textContent()).toBe('Open');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Decline' }).click();
    await shows(page, 'The customer declined');
    const tooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(tooWide)).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('opens a form as a dialog with the focus in it, names what is wrong beside the field, and closes with Escape', async () => {
    const { page, complaints } = await openPage();
    await typed(page, '/charge');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const number = dialog.getByLabel('Customer number');
    expect(await focused(page).getAttribute('id')).toBe(await number.getAttribute('id'));
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    await dialog.locator('[aria-invalid=true]').first().waitFor();
    expect(await number.inputValue()).toBe('12');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await focused(page).getAttribute('id')).toBe('typed');
    expect(complaints).toEqual([]);
  });

  it('shows what people type as text, whatever it looks like', { tags: ['T43'] }, async () => {
    const { page, complaints } = await openPage();
    await page.getByLabel('Telegram').check();
    await page.getByLabel('Message', { exact: true }).focus();
    const script = '<img src=x onerror="document.title=1"><b>&lt;script&gt;';
    await typed(page, script);
    await shows(page, script);
    await typed(page, `/charge 0244123456 50 ${script}`);
    await page.getByRole('log').getByRole('button', { name: 'Charge GHS 50.00' }).waitFor();
    expect(await page.locator('img, script:not([src])').count()).toBe(0);
    expect(await page.title()).toBe('Practise with Paythread');
    expect(complaints).toEqual([]);
  });

  it('sends an example with one press, and shows the picture of a report with its words', async () => {
    const { page, complaints } = await openPage();
    await page.getByRole('button', { name: '/charge 0244123456 50', exact: true }).click();
    await page.getByRole('log').getByRole('button', { name: 'Charge GHS 50.00' }).click();
    await page.getByLabel('PIN: any four digits, never your own').fill('1234');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await shows(page, /from .+: completed/);
    await page.getByLabel('Esi, owner').check();
    await page.getByLabel('Message', { exact: true }).fill('/report');
    await page.keyboard.press('Enter');
    const picture = page.getByRole('log').getByRole('img');
    await picture.waitFor();
    expect(await picture.getAttribute('alt')).toContain('GHS 50.00');
    const isDrawn = "document.querySelector('#messages img').naturalWidth > 0";
    await page.waitForFunction(isDrawn);
    // Its end is seen, not its top alone.
    await page.waitForFunction(
      'Math.abs(messages.scrollHeight - messages.scrollTop - messages.clientHeight) < 2',
    );
    expect(complaints).toEqual([]);
  });

  it('has the phone one tap away on a screen of 390 px, and says there how many prompts wait', async () => {
    const { page } = await openPage({ viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: '/charge 0244123456 50', exact: true }).click();
    await page.getByRole('log').getByRole('button', { name: 'Charge GHS 50.00' }).click();
    await page.getByRole('link', { name: 'Phone: 1 to answer' }).click();
    const approve = page.getByRole('button', { name: 'Approve', exact: true });
    const { y = 0, height = 0 } = (await approve.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThan(844);
    await page.getByRole('link', { name: 'Chat', exact: true }).click();
    const { y: top = 0 } = (await page.getByLabel('Message', { exact: true }).boundingBox()) ?? {};
    expect(top).toBeLessThan(844);
  });

  it('says who one is, and lets another person approve', async () => {
    const { page, complaints } = await openPage();
    await typed(page, '/charge 0244123456 500');
    await page.getByRole('log').getByRole('button', { name: 'Charge GHS 500.00' }).click();
    await page.getByLabel('Kofi, approver').check();
    await page.getByRole('button', { name: /^Approve GHS/ }).click();
    await page.getByText('Pay GHS 500.00').waitFor();
    expect(complaints).toEqual([]);
  });
});
