/* SPDX-License-Identifier: MIT */
/*
 * fit.c - the weights that explain the results best; see tune.h.
 *
 * A sample with terms c and target y costs
 *
 *     -y log p - (1 - y) log (1 - p)     p = 1 / (1 + exp(-scale * sum w c))
 *
 * and what is minimised is the mean of that over the samples to fit, plus
 *
 *     pull / 2 * sum ((w - old) / UNIT)^2
 *
 * so that a weight the games say nothing about stays as it was. This is convex. Newton's method
 * finds the bottom: each step solves H step = -gradient by conjugate gradients, with the product
 * H v = scale^2 X' D X v taken straight from the sparse rows, and is halved until the cost falls.
 * Pulls of several strengths are tried from the strongest on; the part of the games that was not
 * fitted chooses among them.
 */
#include "tune/tune.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEWTON_STEPS = 30, CG_STEPS = 200 };
static const double unit = 100; /* a difference of one smallest piece */

typedef struct problem {
    const tune_data *data;
    const double *old;
    double *targets; /* by sample */
    double *slopes;  /* p (1 - p) by sample */
    double *gradient, *step, *residual, *direction, *product, *diagonal, *trial;
    double scale, pull;
    size_t count; /* of samples to fit */
} problem;

static double chance(double x)
{
    return 1 / (1 + exp(-x));
}

/* -y log p - (1 - y) log (1 - p) at p = chance(x), without overflow. */
static double cost(double x, double y)
{
    return (x > 0 ? x + log1p(exp(-x)) : log1p(exp(x))) - y * x;
}

static double dot_row(const tune_data *data, const tune_sample *s, const double *weights)
{
    double sum = 0;
    const tune_term *terms = data->terms + s->first;
    for (uint32_t i = 0; i < s->count; i++)
        sum += weights[terms[i].weight] * (double)terms[i].count;
    return sum;
}

/* The mean loss of a part of the samples against the results of the games. */
static double result_loss(const tune_data *data, const double *weights, double scale, int part)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < data->sample_count; i++) {
        const tune_sample *s = &data->samples[i];
        if (s->part != part)
            continue;
        sum += cost(scale * dot_row(data, s, weights), (double)s->result);
        count++;
    }
    return count ? sum / (double)count : 0;
}

/* The scale at which the old weights explain the results best, by golden section. */
static double fit_scale(const tune_data *data, const double *weights)
{
    const double ratio = 0.6180339887498949;
    double low = log(1e-4), high = log(0.1);
    double a = high - ratio * (high - low), b = low + ratio * (high - low);
    double at_a = result_loss(data, weights, exp(a), TUNE_TRAIN);
    double at_b = result_loss(data, weights, exp(b), TUNE_TRAIN);
    while (high - low > 1e-3) {
        if (at_a < at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - ratio * (high - low);
            at_a = result_loss(data, weights, exp(a), TUNE_TRAIN);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + ratio * (high - low);
            at_b = result_loss(data, weights, exp(b), TUNE_TRAIN);
        }
    }
    return exp((low + high) / 2);
}

static double objective(const problem *p, const double *weights)
{
    double sum = 0, pulled = 0;
    for (size_t i = 0; i < p->data->sample_count; i++) {
        const tune_sample *s = &p->data->samples[i];
        if (s->part == TUNE_TRAIN)
            sum += cost(p->scale * dot_row(p->data, s, weights), p->targets[i]);
    }
    for (size_t w = 0; w < p->data->weight_count; w++) {
        double away = (weights[w] - p->old[w]) / unit;
        pulled += away * away;
    }
    return sum / (double)p->count + p->pull / 2 * pulled;
}

/* The gradient at the weights, the slopes and the diagonal of the second derivative. */
static void differentiate(problem *p, const double *weights)
{
    const tune_data *data = p->data;
    double share = 1 / (double)p->count;
    for (size_t w = 0; w < data->weight_count; w++) {
        p->gradient[w] = p->pull * (weights[w] - p->old[w]) / (unit * unit);
        p->diagonal[w] = p->pull / (unit * unit);
    }
    for (size_t i = 0; i < data->sample_count; i++) {
        const tune_sample *s = &data->samples[i];
        if (s->part != TUNE_TRAIN)
            continue;
        double x = chance(p->scale * dot_row(data, s, weights));
        double error = (x - p->targets[i]) * p->scale * share;
        p->slopes[i] = x * (1 - x) * p->scale * p->scale * share;
        const tune_term *terms = data->terms + s->first;
        for (uint32_t k = 0; k < s->count; k++) {
            double c = (double)terms[k].count;
            p->gradient[terms[k].weight] += error * c;
            p->diagonal[terms[k].weight] += p->slopes[i] * c * c;
        }
    }
}

/* product = H v */
static void multiply(problem *p, const double *v)
{
    const tune_data *data = p->data;
    for (size_t w = 0; w < data->weight_count; w++)
        p->product[w] = p->pull / (unit * unit) * v[w];
    for (size_t i = 0; i < data->sample_count; i++) {
        const tune_sample *s = &data->samples[i];
        if (s->part != TUNE_TRAIN)
            continue;
        double x = dot_row(data, s, v) * p->slopes[i];
        const tune_term *terms = data->terms + s->first;
        for (uint32_t k = 0; k < s->count; k++)
            p->product[terms[k].weight] += x * (double)terms[k].count;
    }
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Solves H step = -gradient by conjugate gradients, preconditioned by the diagonal. */
static void solve_step(problem *p)
{
    size_t n = p->data->weight_count;
    double rho = 0;
    for (size_t w = 0; w < n; w++) {
        p->step[w] = 0;
        p->residual[w] = -p->gradient[w];
        p->direction[w] = p->residual[w] / p->diagonal[w];
        rho += p->residual[w] * p->direction[w];
    }
    double enough = rho * 1e-10;
    for (int k = 0; k < CG_STEPS && rho > enough && rho > 0; k++) {
        multiply(p, p->direction);
        double bend = dot(p->direction, p->product, n);
        if (bend <= 0)
            return;
        double far = rho / bend, next = 0;
        for (size_t w = 0; w < n; w++) {
            p->step[w] += far * p->direction[w];
            p->residual[w] -= far * p->product[w];
            next += p->residual[w] * p->residual[w] / p->diagonal[w];
        }
        for (size_t w = 0; w < n; w++)
            p->direction[w] = p->residual[w] / p->diagonal[w] + next / rho * p->direction[w];
        rho = next;
    }
}

/* Moves the weights to the bottom of the objective. */
static void descend(problem *p, double *weights)
{
    size_t n = p->data->weight_count;
    double value = objective(p, weights);
    for (int k = 0; k < NEWTON_STEPS; k++) {
        differentiate(p, weights);
        solve_step(p);
        double slope = dot(p->gradient, p->step, n), far = 1, next = value;
        for (int halved = 0; halved < 30; halved++, far /= 2) {
            for (size_t w = 0; w < n; w++)
                p->trial[w] = weights[w] + far * p->step[w];
            next = objective(p, p->trial);
            if (next <= value + 1e-4 * far * slope)
                break;
        }
        if (!(next < value))
            return;
        double gained = value - next;
        memcpy(weights, p->trial, n * sizeof *weights);
        value = next;
        if (gained < 1e-9)
            return;
    }
}

static bool open_problem(problem *p, const tune_data *data, double *memory)
{
    size_t n = data->weight_count;
    if (!memory)
        return false;
    double **vectors[] = {&p->gradient, &p->step,     &p->residual, &p->direction,
                          &p->product,  &p->diagonal, &p->trial};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = memory + i * n;
    p->targets = memory + sizeof vectors / sizeof vectors[0] * n;
    p->slopes = p->targets + data->sample_count;
    p->data = data;
    for (size_t i = 0; i < data->sample_count; i++)
        p->count += data->samples[i].part == TUNE_TRAIN;
    p->count += p->count == 0;
    return true;
}

bool tune_fit(const tune_data *data, const double *old, double blend, double scale, double *weights,
              tune_fit_result *result)
{
    static const double pulls[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    size_t n = data->weight_count;
    double *memory = calloc(8 * n + 2 * data->sample_count + 1, sizeof *memory);
    double *tried = calloc(n + 1, sizeof *tried);
    problem p = {.old = old};
    if (!tried || !open_problem(&p, data, memory)) {
        free(memory);
        free(tried);
        return false;
    }
    p.scale = result->scale = scale > 0 ? scale : fit_scale(data, old);
    for (size_t i = 0; i < data->sample_count; i++)
        p.targets[i] = (1 - blend) * (double)data->samples[i].result +
                       blend * chance(p.scale * (double)data->samples[i].score);
    memcpy(tried, old, n * sizeof *tried);
    memcpy(weights, old, n * sizeof *weights);
    result->pull = 0; /* none: nothing is better than the old weights */
    double best = result_loss(data, old, p.scale, TUNE_CHOOSE);
    for (size_t i = 0; i < sizeof pulls / sizeof pulls[0]; i++) {
        p.pull = pulls[i];
        descend(&p, tried);
        double loss = result_loss(data, tried, p.scale, TUNE_CHOOSE);
        if (loss < best) {
            best = loss;
            result->pull = p.pull;
            memcpy(weights, tried, n * sizeof *weights);
        }
    }
    for (int part = 0; part < TUNE_PARTS; part++) {
        result->before[part] = result_loss(data, old, p.scale, part);
        result->after[part] = result_loss(data, weights, p.scale, part);
    }
    free(memory);
    free(tried);
    return true;
}
