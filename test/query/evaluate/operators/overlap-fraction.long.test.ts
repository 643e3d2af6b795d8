// More scattered points in both forms.
import './overlap-fraction.test.ts';
