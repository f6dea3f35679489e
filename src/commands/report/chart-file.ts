import type { OutgoingFile } from '../cards/outgoing-file.ts';
import type { Chart } from './chart-svg.ts';
import { chartText } from './report-chart.ts';

/** The chart as a picture to send, and in words. */
export const chartFile = async (chart: Chart): Promise<OutgoingFile> => {
  const { chartPng } = await import('./chart-png.ts');
  const { title } = chart;
  const name = `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.png`;
  return { name, content: chartPng(chart), title, altText: chartText(chart) };
};
