import { beforeEach, expect, it } from 'vitest';
import { fitPictures, panBy, useReviewView, zoomBy } from './view.ts';

const view = () => {
  const { zoom, pan } = useReviewView.getState();
  return [zoom, pan.x, pan.y];
};

beforeEach(fitPictures);

it('a whole picture is not moved', () => {
  panBy(0.5, -0.5);
  expect(view().map(Math.abs)).toEqual([1, 0, 0]);
});

it('no edge comes into the picture, and the middle stays while it is zoomed', () => {
  zoomBy(2);
  panBy(0.25, -9);
  expect(view()).toEqual([2, 0.25, -0.5]);
  zoomBy(2);
  expect(view()).toEqual([4, 0.5, -1]);
  zoomBy(100);
  expect(view()[0]).toBe(8);
  zoomBy(1 / 100);
  expect(view().map(Math.abs)).toEqual([1, 0, 0]);
});

it('fitting shows the whole picture again', () => {
  zoomBy(4);
  panBy(1, 1);
  fitPictures();
  expect(view()).toEqual([1, 0, 0]);
});
