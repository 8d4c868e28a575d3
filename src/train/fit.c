/* SPDX-License-Identifier: MIT */
/*
 * fit.c - the weights that predict the results best; see fit.h.
 *
 * A sample with terms c and target y has the cross-entropy loss
 *
 *     -y log p - (1 - y) log (1 - p)     where p = 1 / (1 + exp(-scale * sum w c))
 *
 * The objective is the mean loss of the training samples plus the regularisation
 *
 *     lambda / 2 * sum ((w - old) / UNIT)^2
 *
 * which keeps a weight that the games say nothing about at its old value. The objective is convex
 * and minimised by Newton's method. Each step solves H step = -gradient by conjugate gradients,
 * where the product H v = scale^2 X' D X v is computed from the sparse samples; a line search then
 * halves the step until the objective falls far enough. Several values of lambda are tried from the
 * largest down, each starting from the previous solution; the validation samples choose among them.
 */
#include "train/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEWTON_STEPS = 30, CG_STEPS = 200, LINE_SEARCH_STEPS = 30, WEIGHT_VECTORS = 7 };
static const double unit = 100; /* scores are in hundredths of the smallest piece */
static const double cg_tolerance = 1e-4, newton_tolerance = 1e-7;
static const double armijo = 1e-4; /* share of the predicted decrease that a step must achieve */
static const double lambdas[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7};

typedef struct fit_problem {
    const train_data *data;
    const double *old;
    double *targets;    /* by sample */
    double *curvatures; /* by sample: scale^2 p (1 - p) / count */
    double *gradient, *step, *residual, *direction, *product, *diagonal, *trial; /* by weight */
    double scale, lambda;
    size_t count; /* of training samples */
} fit_problem;

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* -y log p - (1 - y) log (1 - p) for p = sigmoid(x), without overflow. */
static double cross_entropy(double x, double y)
{
    return (x > 0 ? x + log1p(exp(-x)) : log1p(exp(x))) - y * x;
}

/* The sum of a sample's terms, each times its weight: with the weights, its evaluation. */
static double dot_terms(const train_data *data, const train_sample *s, const double *weights)
{
    double sum = 0;
    const train_term *terms = data->terms + s->first;
    for (uint32_t i = 0; i < s->count; i++)
        sum += weights[terms[i].weight] * (double)terms[i].count;
    return sum;
}

/* The mean loss of one set of samples against the results of the games. */
static double result_loss(const train_data *data, const double *weights, double scale,
                          train_set set)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < data->sample_count; i++) {
        const train_sample *s = &data->samples[i];
        if (s->set != set)
            continue;
        sum += cross_entropy(scale * dot_terms(data, s, weights), (double)s->result);
        count++;
    }
    return count ? sum / (double)count : 0;
}

/* The scale at which the weights predict the results best, by golden-section search. */
static double fit_scale(const train_data *data, const double *weights)
{
    const double ratio = 0.6180339887498949, precision = 1e-3;
    double low = log(1e-4), high = log(0.1);
    double a = high - ratio * (high - low), b = low + ratio * (high - low);
    double at_a = result_loss(data, weights, exp(a), TRAIN_TRAINING);
    double at_b = result_loss(data, weights, exp(b), TRAIN_TRAINING);
    while (high - low > precision) {
        if (at_a < at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - ratio * (high - low);
            at_a = result_loss(data, weights, exp(a), TRAIN_TRAINING);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + ratio * (high - low);
            at_b = result_loss(data, weights, exp(b), TRAIN_TRAINING);
        }
    }
    return exp((low + high) / 2);
}

static double objective(const fit_problem *p, const double *weights)
{
    double sum = 0, penalty = 0;
    for (size_t i = 0; i < p->data->sample_count; i++) {
        const train_sample *s = &p->data->samples[i];
        if (s->set == TRAIN_TRAINING)
            sum += cross_entropy(p->scale * dot_terms(p->data, s, weights), p->targets[i]);
    }
    for (size_t w = 0; w < p->data->weight_count; w++) {
        double change = (weights[w] - p->old[w]) / unit;
        penalty += change * change;
    }
    return sum / (double)p->count + p->lambda / 2 * penalty;
}

/* Computes the gradient, the curvatures and the diagonal of the Hessian at the weights. */
static void differentiate(fit_problem *p, const double *weights)
{
    const train_data *data = p->data;
    double share = 1 / (double)p->count;
    for (size_t w = 0; w < data->weight_count; w++) {
        p->gradient[w] = p->lambda * (weights[w] - p->old[w]) / (unit * unit);
        p->diagonal[w] = p->lambda / (unit * unit);
    }
    for (size_t i = 0; i < data->sample_count; i++) {
        const train_sample *s = &data->samples[i];
        if (s->set != TRAIN_TRAINING)
            continue;
        double probability = sigmoid(p->scale * dot_terms(data, s, weights));
        double error = (probability - p->targets[i]) * p->scale * share;
        p->curvatures[i] = probability * (1 - probability) * p->scale * p->scale * share;
        const train_term *terms = data->terms + s->first;
        for (uint32_t k = 0; k < s->count; k++) {
            double c = (double)terms[k].count;
            p->gradient[terms[k].weight] += error * c;
            p->diagonal[terms[k].weight] += p->curvatures[i] * c * c;
        }
    }
}

/* product = H v */
static void multiply_hessian(fit_problem *p, const double *v)
{
    const train_data *data = p->data;
    for (size_t w = 0; w < data->weight_count; w++)
        p->product[w] = p->lambda / (unit * unit) * v[w];
    for (size_t i = 0; i < data->sample_count; i++) {
        const train_sample *s = &data->samples[i];
        if (s->set != TRAIN_TRAINING)
            continue;
        double x = dot_terms(data, s, v) * p->curvatures[i];
        const train_term *terms = data->terms + s->first;
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
static void solve_newton_step(fit_problem *p)
{
    size_t n = p->data->weight_count;
    double rho = 0;
    for (size_t w = 0; w < n; w++) {
        p->step[w] = 0;
        p->residual[w] = -p->gradient[w];
        p->direction[w] = p->residual[w] / p->diagonal[w];
        rho += p->residual[w] * p->direction[w];
    }
    double enough = rho * cg_tolerance;
    for (int k = 0; k < CG_STEPS && rho > enough && rho > 0; k++) {
        multiply_hessian(p, p->direction);
        double curvature = dot(p->direction, p->product, n);
        if (curvature <= 0)
            return;
        double length = rho / curvature, next = 0;
        for (size_t w = 0; w < n; w++) {
            p->step[w] += length * p->direction[w];
            p->residual[w] -= length * p->product[w];
            next += p->residual[w] * p->residual[w] / p->diagonal[w];
        }
        for (size_t w = 0; w < n; w++)
            p->direction[w] = p->residual[w] / p->diagonal[w] + next / rho * p->direction[w];
        rho = next;
    }
}

/* Minimises the objective by Newton's method, starting from `weights`. */
static void minimise(fit_problem *p, double *weights)
{
    size_t n = p->data->weight_count;
    double value = objective(p, weights);
    for (int k = 0; k < NEWTON_STEPS; k++) {
        differentiate(p, weights);
        solve_newton_step(p);
        double slope = dot(p->gradient, p->step, n), length = 1, next = value;
        for (int halvings = 0; halvings < LINE_SEARCH_STEPS; halvings++, length /= 2) {
            for (size_t w = 0; w < n; w++)
                p->trial[w] = weights[w] + length * p->step[w];
            next = objective(p, p->trial);
            if (next <= value + armijo * length * slope)
                break;
        }
        if (!(next < value))
            return;
        double gained = value - next;
        memcpy(weights, p->trial, n * sizeof *weights);
        value = next;
        if (gained < newton_tolerance)
            return;
    }
}

/* Divides the memory among the vectors of the problem. */
static void init_problem(fit_problem *p, const train_data *data, double *memory)
{
    size_t n = data->weight_count;
    double **vectors[WEIGHT_VECTORS] = {&p->gradient, &p->step,     &p->residual, &p->direction,
                                        &p->product,  &p->diagonal, &p->trial};
    for (size_t i = 0; i < WEIGHT_VECTORS; i++)
        *vectors[i] = memory + i * n;
    p->targets = memory + WEIGHT_VECTORS * n;
    p->curvatures = p->targets + data->sample_count;
    p->data = data;
    for (size_t i = 0; i < data->sample_count; i++)
        p->count += data->samples[i].set == TRAIN_TRAINING;
    p->count += p->count == 0;
}

bool train_fit(const train_data *data, const double *old, double blend, double scale,
               double *weights, train_fit_result *result)
{
    size_t n = data->weight_count;
    double *memory = calloc(WEIGHT_VECTORS * n + 2 * data->sample_count + 1, sizeof *memory);
    double *solution = calloc(n + 1, sizeof *solution);
    if (!memory || !solution) {
        free(memory);
        free(solution);
        return false;
    }
    fit_problem p = {.old = old};
    init_problem(&p, data, memory);
    p.scale = result->scale = scale > 0 ? scale : fit_scale(data, old);
    for (size_t i = 0; i < data->sample_count; i++)
        p.targets[i] = (1 - blend) * (double)data->samples[i].result +
                       blend * sigmoid(p.scale * (double)data->samples[i].score);
    memcpy(solution, old, n * sizeof *solution);
    memcpy(weights, old, n * sizeof *weights);
    result->lambda = 0;
    double best = result_loss(data, old, p.scale, TRAIN_VALIDATION);
    for (size_t i = 0; i < sizeof lambdas / sizeof lambdas[0]; i++) {
        p.lambda = lambdas[i];
        minimise(&p, solution);
        double loss = result_loss(data, solution, p.scale, TRAIN_VALIDATION);
        if (loss < best) {
            best = loss;
            result->lambda = p.lambda;
            memcpy(weights, solution, n * sizeof *weights);
        }
    }
    for (train_set set = 0; set < TRAIN_SETS; set++) {
        result->before[set] = result_loss(data, old, p.scale, set);
        result->after[set] = result_loss(data, weights, p.scale, set);
    }
    free(memory);
    free(solution);
    return true;
}
